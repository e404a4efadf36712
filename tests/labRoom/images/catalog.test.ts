import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ImageName, images, standardImages, withFoundations } from '../../../src/lab/images/catalog.js';
import { imageFolder, readImageFile } from '../../../src/lab/images/places.js';

const names = Object.keys(images) as ImageName[];
const byReference = new Map(names.map((name) => [images[name].reference, name]));

/** What the Dockerfile's FROM lines name, stages of its own left out. */
function foundations(dockerfile: string): string[] {
  const stages = new Set<string>();
  const named = new Set<string>();
  for (const [, image = '', stage] of dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)) {
    if (image !== 'scratch' && !stages.has(image)) named.add(image);
    if (stage) stages.add(stage);
  }
  return [...named].sort();
}

describe.each(names)('the image %s', (name) => {
  const read = () => readImageFile(`${name}/Dockerfile`);

  it('stands on exactly what its Dockerfile names, and nothing that would be pulled', async () => {
    const standsOn = images[name].standsOn.map((below) => images[below].reference).sort();
    expect(foundations(await read())).toEqual(standsOn);
  });

  it('uses each of its inputs', async () => {
    const words = new Set((await read()).split(/[\s/]+/));
    expect(images[name].inputs.filter((input) => !words.has(input.as))).toEqual([]);
  });

  it('needs no frontend from a registry and says what it holds', async () => {
    const dockerfile = await read();
    expect(dockerfile).not.toMatch(/^#\s*syntax=/m);
    expect(dockerfile).toMatch(/^LABEL raygate\.lab\.contains="[^"]+"$/m);
  });
});

describe('the images of the lab', () => {
  it('have a folder each, and no folder is without an image', async () => {
    const entries = await readdir(imageFolder('.'), { withFileTypes: true });
    expect(
      entries
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort(),
    ).toEqual([...names].sort());
  });

  it('have references of their own', () => {
    expect(byReference.size).toBe(names.length);
  });

  it('are all standard but Kueue', () => {
    expect([...standardImages, 'kueue'].sort()).toEqual([...names].sort());
  });

  it.each(names)('come after what they stand on: %s', (name) => {
    const order = withFoundations([name]);
    expect(order.at(-1)).toBe(name);
    for (const [index, each] of order.entries()) {
      for (const below of images[each].standsOn) expect(order.indexOf(below)).toBeLessThan(index);
      expect(order.indexOf(each)).toBe(index);
    }
  });
});

describe("Ray's lock", () => {
  it('holds the version that the reference promises, a hash for each package, and no address', async () => {
    const lock = await readFile(imageFolder('ray/requirements.lock'), 'utf8');
    const version = /^rayproject\/ray:(\d+\.\d+\.\d+)-/.exec(images.ray.reference)?.[1];
    const packages = lock.split(/\n(?=[a-z0-9])/i);
    expect(packages.find((each) => each.startsWith('ray'))).toMatch(
      new RegExp(`^ray(\\[default\\])?==${version?.replaceAll('.', '\\.')} `),
    );
    expect(
      packages.filter(
        (each) => !/^[A-Za-z0-9._-]+(\[[a-z,]+\])?==\S+[^\n]*\\\n(\s+--hash=sha256:[0-9a-f]{64}( \\)?\n?)+$/.test(each),
      ),
    ).toEqual([]);
    expect(lock).not.toMatch(/:\/\//);
  });
});
