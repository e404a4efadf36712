import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failureContents } from '../../src/gate/report/failureContents.js';
import { reportOfRun } from '../../src/gate/report/runReport.js';
import { evidenceBytes, layerTime, observationOf } from '../builders/evidence.js';
import { type Browser, findChromium, startBrowser, type Tab } from './support/browser.js';

const chromium = await findChromium();
const whySkipped = 'no chromium on PATH: apt-get install chromium, then this looks at the page in it';

let folder: string;
let browser: Browser | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'raygate-page-'));
  await writeFile(join(folder, 'passed.html'), evidenceBytes().get('evidence.html') ?? '');
  const failed = reportOfRun({
    runId: 'run-1',
    platform: 'lab',
    source: { commit: 'c'.repeat(40), tree: 'd'.repeat(40) },
    finishedAt: '2026-01-31T12:03:00.000Z',
    preflight: layerTime(0, 3),
    observations: [observationOf('images'), observationOf('drain')],
    failures: [
      {
        layer: 'ray',
        code: 'ray.pod-not-owned',
        line: `FAILED [ray]: pod ${'x'.repeat(63)} is not ours (ray.pod-not-owned)`,
        time: layerTime(91, 148, [[92, 'head has 0 pods instead of 1']]),
      },
    ],
  });
  await writeFile(join(folder, 'failed.html'), failureContents(failed).get('failure.html') ?? '');
  if (chromium === undefined) console.info(`skipped: ${whySkipped}`);
  else browser = await startBrowser(chromium);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function show(name: string, scheme: string, width: number): Promise<Tab> {
  if (!browser) throw new Error(whySkipped);
  const tab = await browser.openTab();
  for (const domain of ['Page', 'Log', 'Runtime', 'Network']) await tab.send(`${domain}.enable`);
  await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  await tab.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
  await tab.send('Page.navigate', { url: pathToFileURL(join(folder, `${name}.html`)).href });
  await tab.send('Runtime.evaluate', {
    expression: 'new Promise((done) => document.readyState === "complete" ? done() : addEventListener("load", done))',
    awaitPromise: true,
  });
  return tab;
}

async function evaluate<T>(tab: Tab, looking: () => T): Promise<T> {
  const { result, exceptionDetails } = await tab.send<{ result: { value: T }; exceptionDetails?: object }>(
    'Runtime.evaluate',
    { expression: `(${looking.toString()})()`, returnByValue: true },
  );
  if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails).slice(0, 500));
  return result.value;
}

/** Runs in the page, whose names the compiler does not know. */
// biome-ignore lint/suspicious/noExplicitAny: see above
declare const document: any, getComputedStyle: any, innerWidth: number, performance: any;

/** Every text whose contrast with what lies behind it is below 4.5, as the browser computes both. */
function faintTexts(): readonly string[] {
  const parts = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = parts(colour).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element: { parentElement: unknown } | null): string => {
    if (!element) return 'rgb(255, 255, 255)';
    const colour = getComputedStyle(element).backgroundColor;
    return parts(colour)[3] === 0 ? groundOf(element.parentElement as typeof element) : colour;
  };
  const elements = [...document.querySelectorAll('body *')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''),
  );
  return elements.flatMap((element) => {
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return contrast < 4.5 ? [`${element.textContent.trim().slice(0, 40)}: ${contrast.toFixed(2)}`] : [];
  });
}

const views = ['passed', 'failed'].flatMap((name) =>
  ['light', 'dark'].flatMap((scheme) => [1280, 480].map((width) => [name, scheme, width] as const)),
);

describe('the page in a browser', { timeout: 60_000 }, () => {
  beforeEach(({ skip }) => skip(chromium === undefined, whySkipped));

  test.each(views)(
    'of a %s run, in %s, %i px wide: fits, is read, and asks for nothing',
    async (name, scheme, width) => {
      const tab = await show(name, scheme, width);
      expect(await evaluate(tab, () => [document.documentElement.scrollWidth, innerWidth])).toEqual([width, width]);
      expect(await evaluate(tab, faintTexts)).toEqual([]);
      const ground = await evaluate(tab, () => getComputedStyle(document.body).backgroundColor);
      expect(ground).toBe(scheme === 'dark' ? 'rgb(15, 19, 24)' : 'rgb(255, 255, 255)');
      expect(await evaluate(tab, () => performance.getEntriesByType('resource').length)).toBe(0);
      const requests = tab.events.filter(({ method }) => method === 'Network.requestWillBeSent');
      expect(requests).toHaveLength(1);
      const complaints = tab.events.filter(({ method }) => /^(Log\.entryAdded|Runtime\.exceptionThrown)$/.test(method));
      expect(complaints).toEqual([]);
    },
  );

  test('opens what a layer waited for without a script', async () => {
    const tab = await show('passed', 'light', 1280);
    const heights = await evaluate(tab, () => {
      const details = document.querySelector('details');
      const closed = details.offsetHeight;
      details.querySelector('summary').click();
      return [closed, details.offsetHeight];
    });
    expect(heights[1]).toBeGreaterThan(heights[0] ?? 0);
  });
});
