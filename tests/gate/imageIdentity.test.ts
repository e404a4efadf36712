import { describe, expect, test } from 'vitest';
import type { PodIdentity } from '../../src/gate/model/identities.js';
import { type ImageIdentityExpectation, judgeImageIdentity } from '../../src/gate/rules/imageIdentity.js';
import { digestOf, localImage, podRunning } from '../builders/images.js';

const appName = 'docker.io/library/django-ray:tree-1';
const pgName = 'docker.io/library/postgres:17';
const labels = { tree: 't1', inputs: 'i1' };
const release = localImage('django-ray:tree-1', { configLabels: { ...labels, other: 'x' } });
const postgres = localImage('postgres:17', {
  id: digestOf('5'),
  index: digestOf('1'),
  manifest: digestOf('2'),
  config: digestOf('3'),
  repoDigests: [`postgres@${digestOf('4')}`],
});

const web = (digest = digestOf('c'), image = appName) => podRunning('web-1', 'django-ray:tree-1', digest, image);
const pg = (digest = digestOf('3'), image = pgName, name = 'pg-1') => podRunning(name, 'postgres:17', digest, image);
const expectation = (fields: Partial<ImageIdentityExpectation> = {}): ImageIdentityExpectation => ({
  release,
  labels,
  local: { [appName]: release, [pgName]: postgres },
  sharedStore: true,
  ...fields,
});

interface Row {
  readonly name: string;
  readonly pods: readonly PodIdentity[];
  readonly expected?: Partial<ImageIdentityExpectation>;
  readonly verdict: string;
  readonly says?: string;
}
const c = 'image-identity';
const separate = { sharedStore: false };
const bare = `sha256:${'9'.repeat(64)}`;
const rows: readonly Row[] = [
  { name: 'the release reported by its configuration (containerd)', pods: [web(digestOf('c'))], verdict: 'ready' },
  { name: 'the release reported by its manifest (cri-dockerd)', pods: [web(digestOf('d'))], verdict: 'ready' },
  {
    name: 'the same content under another of its tags',
    pods: [web(digestOf('c'), 'docker.io/library/django-ray:retagged')],
    verdict: 'ready',
  },
  { name: 'the same content under its digest alone', pods: [web(digestOf('c'), digestOf('c'))], verdict: 'ready' },
  {
    name: 'a substitute under the right name',
    pods: [web(digestOf('e'))],
    verdict: `failed ${c}.substituted`,
    says: `Container main of pod web-1 runs ${digestOf('e')}, but django-ray:tree-1 is ${digestOf('d')} or ${digestOf('c')}.`,
  },
  {
    name: 'one substitute among right ones',
    pods: [web(), { ...web(digestOf('e')), name: 'web-2' }],
    verdict: `failed ${c}.substituted`,
    says: 'pod web-2',
  },
  {
    name: 'a substituted init container',
    pods: [{ ...web(), initContainers: web(digestOf('e')).containers }],
    verdict: `failed ${c}.substituted`,
  },
  {
    name: 'the right tag on another Id since it was built',
    pods: [web()],
    expected: { local: { [appName]: { ...release, id: digestOf('f') } } },
    verdict: `failed ${c}.tag-moved`,
    says: `is on ${digestOf('f')} now, and was on ${digestOf('d')}`,
  },
  {
    name: 'a release that Docker has no more',
    pods: [web()],
    expected: { local: {} },
    verdict: `failed ${c}.gone`,
  },
  {
    name: 'labels of another tree in the configuration that runs, whatever the tag says',
    pods: [web()],
    expected: { release: { ...release, labels, configLabels: { ...labels, tree: 'other' } } },
    verdict: `failed ${c}.labels`,
    says: `The configuration ${digestOf('c')} that runs has the label tree="other", not "t1".`,
  },
  {
    name: 'no label in the configuration that runs',
    pods: [web()],
    expected: { release: { ...release, configLabels: { tree: 't1' } } },
    verdict: `failed ${c}.labels`,
    says: 'inputs=""',
  },
  { name: 'no pod of the release at all', pods: [pg()], verdict: `failed ${c}.release-absent` },
  ...(['1', '2', '3', '4', '5'] as const).map((digit) => ({
    name: `a third party's image reported by ${{ 1: 'its index', 2: 'its manifest', 3: 'its configuration', 4: 'its repository digest', 5: 'its Id' }[digit]}`,
    pods: [web(), pg(digestOf(digit))],
    verdict: 'ready',
  })),
  {
    name: "another content under a third party's name, in the store that the nodes run out of",
    pods: [web(), pg(digestOf('8'))],
    verdict: `failed ${c}.substituted`,
    says: 'runs sha256:888',
  },
  {
    name: "a third party's image that the nodes pulled for themselves",
    pods: [web(), pg(digestOf('8'))],
    expected: separate,
    verdict: 'ready',
  },
  {
    name: "a third party's image that the local store lacks",
    pods: [web(), pg(bare, bare)],
    expected: { local: { [appName]: release } },
    verdict: 'ready',
  },
  {
    name: "a third party's image that the local store lacks, under another name",
    pods: [web(), pg(digestOf('8'), 'docker.io/library/evil:1')],
    expected: { local: { [appName]: release } },
    verdict: `failed ${c}.substituted`,
    says: 'runs docker.io/library/evil:1',
  },
  {
    name: 'two contents under one name',
    pods: [web(), pg(digestOf('8')), pg(digestOf('9'), pgName, 'pg-2')],
    expected: separate,
    verdict: `failed ${c}.two-contents`,
    says: 'in Container main of pod pg-1',
  },
];

describe('each container runs the content that its reference names', () => {
  test.each(rows)('$name: $verdict', ({ pods, expected, verdict, says }) => {
    const result = judgeImageIdentity(pods, expectation(expected));
    expect(result.kind === 'ready' ? 'ready' : `${result.kind} ${result.code}`).toBe(verdict);
    if (says !== undefined) expect(result.kind === 'ready' ? '' : result.detail).toContain(says);
  });

  test('index, manifest and config are all recorded, with what the runtime reports and where', () => {
    const result = judgeImageIdentity([web(), pg(digestOf('2')), pg(digestOf('4'), pgName, 'pg-2')], expectation());
    expect(result).toEqual({
      kind: 'ready',
      facts: {
        sharedStore: true,
        labels,
        images: [
          {
            reference: appName,
            origin: 'release',
            local: {
              id: digestOf('d'),
              index: undefined,
              manifest: digestOf('d'),
              config: digestOf('c'),
              repoDigests: [],
            },
            runs: [{ digest: digestOf('c'), is: 'config' }],
            containers: ['web-1/main'],
          },
          {
            reference: pgName,
            origin: 'third-party',
            local: {
              id: digestOf('5'),
              index: digestOf('1'),
              manifest: digestOf('2'),
              config: digestOf('3'),
              repoDigests: [`postgres@${digestOf('4')}`],
            },
            runs: [
              { digest: digestOf('2'), is: 'manifest' },
              { digest: digestOf('4'), is: 'repository-digest' },
            ],
            containers: ['pg-1/main', 'pg-2/main'],
          },
        ],
      },
    });
  });

  test('what the local store could not say is said', () => {
    const result = judgeImageIdentity([web(), pg(digestOf('8'))], expectation(separate));
    expect(result.kind === 'ready' && result.facts.images[1]?.runs).toEqual([
      { digest: digestOf('8'), is: 'not-in-local-store' },
    ]);
  });
});
