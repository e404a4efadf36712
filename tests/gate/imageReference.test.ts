import { describe, expect, test } from 'vitest';
import { repositoryOf } from '../../src/gate/rules/imageReference.js';

describe('the repository of an image', () => {
  test.each([
    ['django-ray:tree-1', 'docker.io/library/django-ray'],
    ['django-ray', 'docker.io/library/django-ray'],
    [`django-ray@sha256:${'a'.repeat(64)}`, 'docker.io/library/django-ray'],
    [`docker.io/library/django-ray:x@sha256:${'a'.repeat(64)}`, 'docker.io/library/django-ray'],
    ['localhost:5000/django-ray:1', 'localhost:5000/django-ray'],
    ['localhost:5000/django-ray', 'localhost:5000/django-ray'],
    ['team/django-ray:1', 'docker.io/team/django-ray'],
    ['not a reference', undefined],
  ])('of %s is %s', (reference, repository) => {
    expect(repositoryOf(reference)).toBe(repository);
  });
});
