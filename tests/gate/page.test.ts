import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LayerTime } from '../../src/gate/model/observation.js';
import { stepLayers } from '../../src/gate/model/plan.js';
import type { EvidenceDocument } from '../../src/gate/report/evidence.js';
import { reportOfEvidence } from '../../src/gate/report/gateReport.js';
import { reportPage } from '../../src/gate/report/page.js';
import { type Palette, palettes } from '../../src/gate/report/palette.js';
import { reportOfRun } from '../../src/gate/report/runReport.js';
import { visibleText } from '../../src/gate/report/visibleText.js';
import { evidenceDocument, layerTime, observationOf } from '../builders/evidence.js';
import { expectNested, readMarkup, type Token } from '../builders/markupReader.js';

const pageOf = (document: EvidenceDocument) => reportPage(reportOfEvidence(document), document);
const failedPage = (line: string) =>
  reportPage(
    reportOfRun({
      runId: 'run-1',
      platform: 'lab',
      source: { commit: 'c', tree: 't' },
      finishedAt: '2026-01-31T12:03:00.000Z',
      preflight: layerTime(0, 3),
      observations: [observationOf('drain')],
      failures: [{ layer: 'ray', code: 'ray.x', line, time: layerTime(4, 65.25, [[5, 'worker is Pending']]) }],
    }),
  );
const page = pageOf(evidenceDocument());

type Opened = Extract<Token, { kind: 'open' }>;
const opened = (tokens: readonly Token[]) => tokens.filter((token): token is Opened => token.kind === 'open');
const textOf = (tokens: readonly Token[]) => tokens.map((token) => (token.kind === 'text' ? token.text : '')).join('');

/** The page with a text put into every place that holds one; names of layers and columns are the program's own. */
function filled(text: string): string {
  const given = JSON.parse(JSON.stringify(evidenceDocument())) as EvidenceDocument;
  const put = (value: unknown): unknown => {
    if (typeof value === 'string') return /^\d{4}-\d\d-/.test(value) || value === 'passed' ? value : text;
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'layer' ? inner : put(inner)]));
  };
  return pageOf(put(given) as EvidenceDocument);
}

describe('the page', () => {
  test('is well formed, and the same for the same evidence', () => {
    expectNested(readMarkup(page));
    expect(pageOf(evidenceDocument())).toBe(page);
  });

  test('needs nothing beside itself: no script, no address, no style in an attribute', () => {
    const tokens = opened(readMarkup(page));
    const names = new Set(tokens.map((token) => token.name));
    for (const name of ['script', 'link', 'img', 'iframe', 'object', 'form', 'a', 'base'])
      expect(names.has(name)).toBe(false);
    const attributes = tokens.flatMap((token) => Object.keys(token.attributes));
    expect(attributes.filter((name) => /^(on|style$|src|href|action)/.test(name))).toEqual([]);
    expect(page).not.toMatch(/@import|url\(/);
  });

  test('has a policy under which nothing may be loaded or run, and whose one exception is its own style sheet', () => {
    const tokens = readMarkup(page);
    const policy = opened(tokens).find((token) => token.attributes['http-equiv'] === 'Content-Security-Policy');
    const at = tokens.findIndex((token) => token.kind === 'open' && token.name === 'style');
    const style = tokens[at + 1];
    const digest = createHash('sha256')
      .update(style?.kind === 'text' ? style.text : '')
      .digest('base64');
    expect(policy?.attributes['content']).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`,
    );
  });

  test('has one first heading, sections named by theirs, and a caption and headed columns for each table', () => {
    const tokens = opened(readMarkup(page));
    const count = (name: string) => tokens.filter((token) => token.name === name).length;
    expect([count('h1'), count('main'), count('table'), count('caption'), count('thead')]).toEqual([1, 1, 11, 11, 11]);
    const ids = tokens.filter((token) => token.name === 'h2').map((token) => token.attributes['id']);
    expect(ids).toEqual(['timeline', 'waits', 'images', 'identities', 'proofs', 'preserved', 'keys']);
    expect(
      tokens.filter((token) => token.name === 'section').map((token) => token.attributes['aria-labelledby']),
    ).toEqual(ids);
    expect(
      tokens.filter((token) => token.name === 'th' && !['row', 'col'].includes(token.attributes['scope'] ?? '')),
    ).toEqual([]);
    expect(tokens.find((token) => token.name === 'html')?.attributes['lang']).toBe('en');
    expect(tokens.filter((token) => token.name === 'svg' && token.attributes['aria-hidden'] !== 'true')).toEqual([]);
  });

  test('shows each layer as a bar where it worked, in thousandths of the run', () => {
    const bars = opened(readMarkup(page)).filter((token) => token.attributes['class'] === 'passed');
    // What took almost no time is a hair of eight thousandths, and ends within the run.
    const seconds = (moment: string) => (Date.parse(moment) - Date.parse('2026-01-31T12:00:00.000Z')) / 1000;
    const of = (time: LayerTime) => {
      const [from, to] = [seconds(time.startedAt), seconds(time.startedAt) + time.seconds];
      const width = Math.max(((to - from) / 187.4) * 1000, 8);
      return [Math.min((from / 187.4) * 1000, 1000 - width).toFixed(1), width.toFixed(1)];
    };
    const { preflight, observations, evidence } = evidenceDocument();
    const times = stepLayers.map((layer) => (layer === 'evidence' ? evidence : observations[layer]));
    expect(bars.map(({ attributes }) => [attributes['x'], attributes['width']])).toEqual(
      [layerTime(0, 3.9), ...times].map(of),
    );
    expect([preflight, evidence]).toEqual([layerTime(0, 3.9), layerTime(186.3, 187.4)]);
  });

  test('says what was waited for and for how long, images, pods, what was preserved, and every key', () => {
    const text = textOf(readMarkup(page));
    const { app } = evidenceDocument().observations.images.facts;
    for (const each of [
      'Local KubeRay final gate: passed',
      'longest, 30.4 s:',
      'worker:worker-group has 2 pods instead of 4',
      app.reference,
      app.config,
      'ray-head-x2k9p-uid',
      'unrelated docker data',
      'deployment_django_ray_worker_ml_ready',
      'api-smoke',
    ])
      expect(text).toContain(each);
  });

  test('counts the containers that ran each image', () => {
    const tokens = readMarkup(page);
    const rows = tokens.flatMap((token, at) => {
      const isCount =
        token.kind === 'open' && token.attributes['data-label'] === 'Containers' && token.attributes['class'];
      return isCount ? [textOf(tokens.slice(at, at + 2))] : [];
    });
    expect(rows).toEqual(['6', '1', '9']);
  });

  test('of a failed run says why first, opens what that layer waited for, and has no section of evidence', () => {
    const tokens = readMarkup(failedPage('FAILED [ray]: pod <x> is not ours (ray.x)'));
    expectNested(tokens);
    const text = textOf(tokens);
    expect(text).toContain('Local KubeRay final gate: failed');
    expect(text.indexOf('FAILED [ray]: pod <x> is not ours (ray.x)')).toBeLessThan(text.indexOf('Layers'));
    const details = opened(tokens).filter((token) => token.name === 'details');
    expect(details.map((token) => 'open' in token.attributes)).toEqual([false, true]);
    expect(text).not.toContain('key by key');
    expect(text.match(/not run/g)).toHaveLength(stepLayers.length - 2);
  });

  test('keeps its form whatever the names in it are, and shows them', () => {
    const shape = (source: string) =>
      readMarkup(source).flatMap((token) => (token.kind === 'text' ? [] : [`${token.kind} ${token.name}`]));
    const expected = shape(filled('name'));
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom(
        '</style><script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' onload='x",
        '<!--',
        ']]>',
        '\u202etxt.exe',
        '&lt;&#60;',
        '\ud800',
      ),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const source = filled(text);
        expect(shape(source)).toEqual(expected);
        expect(source.isWellFormed()).toBe(true);
        expect(textOf(readMarkup(source))).toContain(visibleText(text));
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe('the colours of the page', () => {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: string, b: string) => {
    const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const rows = Object.entries(palettes).flatMap(([scheme, palette]: [string, Palette]) => [
    ...(['text', 'quiet', 'good', 'bad'] as const).flatMap((name) =>
      (['ground', 'panel'] as const).map(
        (ground) => [scheme, name, ground, palette[name], palette[ground], 4.5] as const,
      ),
    ),
    [scheme, 'bar', 'track', palette.bar, palette.track, 3] as const,
    [scheme, 'bad', 'track', palette.bad, palette.track, 3] as const,
  ]);
  test.each(rows)('in %s, %s on %s is read with enough contrast', (_scheme, _name, _ground, a, b, least) => {
    expect(contrast(a, b)).toBeGreaterThanOrEqual(least);
  });
});
