import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EvidenceDocument, sourcesOf } from '../../src/gate/report/evidence.js';
import { evidenceIndex } from '../../src/gate/report/evidenceIndex.js';
import { evidenceBlock } from '../../src/gate/report/evidenceLines.js';
import { verifyDocument, verifyFolder } from '../../src/gate/report/verify.js';
import { evidenceBytes, evidenceDocument } from '../builders/evidence.js';

// biome-ignore lint/suspicious/noExplicitAny: a tampered file has no type
type Loose = any;
type Files = Map<string, Buffer>;

const proven: Files = evidenceBytes();
const untouched = (): Files => new Map(proven);
const codes = (files: Files) => [...new Set(verifyFolder(files).findings.map((finding) => finding.code))];

/** The files of a proven run with the evidence file tampered with, and nothing else. */
function tampered(change: (document: Loose) => void): Files {
  const files = untouched();
  const document = JSON.parse(files.get('evidence.json')?.toString('utf8') ?? '');
  change(document);
  return files.set('evidence.json', Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`));
}

/** Whoever tampers may write every other file anew, with the program's own functions: what then remains is what contradicts itself. */
function rewritten(change: (document: Loose) => void, lines = true): Files {
  const document = JSON.parse(JSON.stringify(evidenceDocument())) as Loose;
  change(document);
  if (lines) document.lines = evidenceBlock(sourcesOf(document as EvidenceDocument));
  return evidenceBytes(document as EvidenceDocument);
}

function edited(name: string, change: (text: string) => string): Files {
  const files = untouched();
  return files.set(name, Buffer.from(change(files.get(name)?.toString('utf8') ?? '')));
}

/** Puts the digests right again, so that only what follows from the evidence file can tell. */
function reindexed(files: Files): Files {
  const others = [...files].filter(([name]) => name !== 'evidence.index.json');
  const index = evidenceIndex(
    evidenceDocument().runId,
    new Map(others.map(([name, bytes]) => [name, bytes.toString()])),
  );
  return files.set('evidence.index.json', Buffer.from(index));
}

const other = `sha256:${'d'.repeat(64)}`;

describe('an evidence', () => {
  test('of a proven run is verified', () => {
    expect(verifyFolder(untouched())).toMatchObject({ findings: [], checked: expect.arrayContaining(['form']) });
    expect(verifyDocument(untouched().get('evidence.json') as Buffer).findings).toEqual([]);
  });

  const rows: readonly (readonly [string, () => Files, readonly string[]])[] = [
    [
      'a line of the evidence file was changed',
      () =>
        tampered((document) => {
          document.lines[26] = 'task_result=6';
        }),
      ['evidence.line', 'evidence.text', 'evidence.statement', 'evidence.file-digest'],
    ],
    [
      'a line was changed in every file alike',
      () =>
        rewritten((document) => {
          document.lines[26] = 'task_result=6';
        }, false),
      ['evidence.line'],
    ],
    [
      'a line was added in every file alike',
      () =>
        rewritten((document) => {
          document.lines.push('all_well=true');
        }, false),
      ['evidence.line'],
    ],
    [
      'a line was left out in every file alike',
      () =>
        rewritten((document) => {
          document.lines.pop();
        }, false),
      ['evidence.line'],
    ],
    [
      'a value was changed in an observation',
      () =>
        tampered((document) => {
          document.observations['api-smoke'].facts.tasks[0].result = 6;
        }),
      ['evidence.line', 'evidence.statement', 'evidence.page', 'evidence.file-digest'],
    ],
    [
      'a line of the text was changed',
      () => edited('evidence.txt', (text) => text.replace('task_result=5', 'task_result=6')),
      ['evidence.text', 'evidence.file-digest'],
    ],
    [
      'a line of the text was changed, and the index with it',
      () => reindexed(edited('evidence.txt', (text) => text.replace('task_result=5', 'task_result=6'))),
      ['evidence.text'],
    ],
    [
      'an observation was removed',
      () =>
        tampered((document) => {
          delete document.observations.drain;
        }),
      ['evidence.observation-missing', 'evidence.file-digest'],
    ],
    [
      'an observation was removed, and everything written anew',
      () =>
        reindexed(
          tampered((document) => {
            delete document.observations['api-smoke'];
          }),
        ),
      ['evidence.observation-missing'],
    ],
    [
      'a member was added that nobody knows',
      () =>
        reindexed(
          tampered((document) => {
            document.remark = 'looks good';
          }),
        ),
      ['evidence.schema'],
    ],
    ['the evidence file is no JSON', () => reindexed(edited('evidence.json', () => '{')), ['evidence.schema']],
    [
      'an image digest was swapped in the statement',
      () => reindexed(edited('evidence.intoto.json', (text) => text.replace('a'.repeat(32), 'd'.repeat(32)))),
      ['evidence.statement'],
    ],
    [
      'the configuration digest of the image was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.images.facts.app.config = other;
        }),
      ['evidence.image-digest', 'evidence.release-image'],
    ],
    [
      'the digest that a pod runs was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.identity.deployments[0].pods[0].containers[0].imageDigest = other;
        }),
      ['evidence.image-digest', 'evidence.identity', 'evidence.resolved-digest'],
    ],
    [
      'a Ray pod was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.ray.facts.pods[0].uid = 'another';
          document.identity.ray.pods[0].uid = 'another';
        }),
      ['evidence.ray-pods', 'evidence.identity', 'evidence.node-pods'],
    ],
    [
      'the RayCluster was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.ray.facts.clusterUid = 'x';
          document.identity.ray.clusterUid = 'x';
        }),
      ['evidence.ray-cluster', 'evidence.identity'],
    ],
    [
      'final-identity compared fewer layers, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['final-identity'].facts.compared.pop();
        }),
      ['evidence.identity'],
    ],
    [
      'final-identity found another kubeconfig, and everything written anew',
      () =>
        rewritten((document) => {
          const pins = document.observations['final-identity'].facts.pins;
          pins.find((pin: { subject: string }) => pin.subject === 'kubeconfig').fields.sha256 = 'f'.repeat(64);
        }),
      ['evidence.identity'],
    ],
    [
      'final-identity found what no layer pinned, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['final-identity'].facts.pins.push({ subject: 'pod ghost', fields: {} });
        }),
      ['evidence.identity'],
    ],
    [
      'a restart came between final-identity and the evidence, and everything written anew',
      () =>
        rewritten((document) => {
          document.identity.supporting[0].pods[0].restarts = 1;
        }),
      ['evidence.identity'],
    ],
    [
      'a pod was there in the end that no layer had seen, and everything written anew',
      () =>
        rewritten((document) => {
          const ghost = { ...document.identity.ray.pods[1], name: 'ghost', containers: [], initContainers: [] };
          document.identity.ray.pods.push(ghost);
          document.observations['final-identity'].facts.identity.ray.pods.push(ghost);
        }),
      ['evidence.identity'],
    ],
    [
      'the setup Job was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.identity.setup.jobUid = 'x';
        }),
      ['evidence.identity'],
    ],
    [
      'an observation is of another run, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.drain.runId = 'run-2';
        }),
      ['evidence.run'],
    ],
    [
      'the tree was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.plan.source.tree = '9'.repeat(40);
        }),
      ['evidence.fingerprint', 'evidence.tree', 'evidence.identity'],
    ],
    [
      'a setting was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.parts.settings.rayRestart = 'skip';
        }),
      ['evidence.fingerprint'],
    ],
    [
      'the release was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.plan.release.tag = 'another';
        }),
      ['evidence.fingerprint'],
    ],
    [
      "the images' label of their tree was swapped, and everything written anew",
      () =>
        rewritten((document) => {
          document.observations.images.facts.legacy.labels = {};
        }),
      ['evidence.tree'],
    ],
    [
      'the archive that the task ran from was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['api-smoke'].facts.tasks[0].workingDir = 'file:///x.zip';
        }),
      ['evidence.archive'],
    ],
    [
      'a container was left out of what was resolved, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['image-identity'].facts.images[0].containers.pop();
        }),
      ['evidence.resolved-container'],
    ],
    [
      'a container was resolved that is not there, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['image-identity'].facts.images[0].containers.push('ghost/ghost');
        }),
      ['evidence.resolved-container'],
    ],
    [
      'an image was resolved to another content, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['image-identity'].facts.images[1].runs[0].digest = other;
          document.observations['image-identity'].facts.images[1].local.config = other;
        }),
      ['evidence.resolved-digest'],
    ],
    [
      'a digest is called what it is not, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['image-identity'].facts.images[1].runs[0].is = 'manifest';
        }),
      ['evidence.resolved-digest'],
    ],
    [
      "another image was resolved as this release's, and everything written anew",
      () =>
        rewritten((document) => {
          document.observations['image-identity'].facts.images[0].local.id = other;
        }),
      ['evidence.release-image'],
    ],
    [
      "no image was resolved as this release's, and everything written anew",
      () =>
        rewritten((document) => {
          document.observations['image-identity'].facts.images[0].origin = 'third-party';
        }),
      ['evidence.release-image'],
    ],
    [
      'what runs is labelled with another tree, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['image-identity'].facts.labels = {};
        }),
      ['evidence.tree'],
    ],
    [
      'a Ray node holds another archive, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['runtime-env'].facts.nodes[1].report.members = 1;
        }),
      ['evidence.node-archive'],
    ],
    [
      'the archive that Ray nodes were asked for was swapped, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['runtime-env'].facts.archive.sha256 = 'f'.repeat(64);
        }),
      ['evidence.node-archive'],
    ],
    [
      'a Ray node was not asked, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['runtime-env'].facts.nodes.pop();
        }),
      ['evidence.node-pods'],
    ],
    [
      'a Ray node knows django_ray without the archive, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['runtime-env'].facts.nodes[0].report.bareDjangoRay = '/usr/lib';
        }),
      ['evidence.schema'],
    ],
    [
      'another pod of web was probed, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.probes.facts.pods[0].uid = 'another';
        }),
      ['evidence.web-pods'],
    ],
    [
      'a restart of web was not counted, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.probes.facts.restarts = 1;
        }),
      ['evidence.web-restarts'],
    ],
    [
      'a probe with a wrong token was answered, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.probes.facts.requests[1].status = 200;
        }),
      ['evidence.schema'],
    ],
    [
      'a task was run by a pod that is no manager, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['api-smoke'].facts.tasks[4].pod = 'django-web-5d9c7b-0';
        }),
      ['evidence.task-pod'],
    ],
    [
      'Prometheus scraped another pod, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.prometheus.facts.targets[3].podUid = 'another';
        }),
      ['evidence.target-pods'],
    ],
    [
      'a target was left out, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.prometheus.facts.targets.shift();
        }),
      ['evidence.target-count'],
    ],
    [
      'another number of Ray heads was counted, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.prometheus.facts.targets[1].job = 'django-ray';
          document.observations.prometheus.facts.counts = { 'django-ray': 2, 'ray-head': 0, 'ray-workers': 4 };
        }),
      ['evidence.target-pods'],
    ],
    [
      'a target was not scraped since the layer began, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations.prometheus.facts.targets[0].lastScrapeMs = 1;
        }),
      ['evidence.target-stale'],
    ],
    [
      'a request without a token was answered, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['api-smoke'].facts.unauthenticated[0].status = 200;
        }),
      ['evidence.schema'],
    ],
    [
      'the task failed, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['api-smoke'].facts.tasks[0].state = 'FAILED';
        }),
      ['evidence.schema'],
    ],
    [
      'no request was made without a token, and everything written anew',
      () =>
        rewritten((document) => {
          document.observations['api-smoke'].facts.unauthenticated = [];
        }),
      ['evidence.schema'],
    ],
    [
      'what was waited for was changed',
      () =>
        reindexed(
          tampered((document) => {
            document.observations.ray.waits[0].line = 'x';
          }),
        ),
      ['evidence.statement', 'evidence.page'],
    ],
    [
      'the time of a layer was changed',
      () =>
        reindexed(
          tampered((document) => {
            document.observations.ray.seconds = 1;
          }),
        ),
      ['evidence.statement', 'evidence.junit', 'evidence.page'],
    ],
    [
      'only the white space of the evidence file was changed',
      () => reindexed(edited('evidence.json', (text) => JSON.stringify(JSON.parse(text)))),
      ['evidence.statement'],
    ],
    [
      'a case of the JUnit file was changed',
      () => reindexed(edited('evidence.junit.xml', (text) => text.replace('name="ray"', 'name="rag"'))),
      ['evidence.junit'],
    ],
    [
      'the page was changed',
      () => reindexed(edited('evidence.html', (text) => text.replace('Nothing here is signed', 'This is signed'))),
      ['evidence.page'],
    ],
    ['a file was added', () => untouched().set('evidence.sig', Buffer.from('trust me')), ['evidence.file-added']],
    [
      'a file was added, and the index with it',
      () => reindexed(untouched().set('evidence.sig', Buffer.from('trust me'))),
      ['evidence.file-added', 'evidence.index'],
    ],
    [
      'a file was taken away',
      () => {
        const files = untouched();
        files.delete('evidence.junit.xml');
        return files;
      },
      ['evidence.file-missing'],
    ],
    [
      'a file was taken away, and from the index too',
      () => {
        const files = untouched();
        files.delete('evidence.junit.xml');
        return reindexed(files);
      },
      ['evidence.file-missing', 'evidence.index'],
    ],
    [
      'the index was taken away',
      () => {
        const files = untouched();
        files.delete('evidence.index.json');
        return files;
      },
      ['evidence.file-missing'],
    ],
    [
      'the index has another size of a file',
      () => edited('evidence.index.json', (text) => text.replace(/"bytes": \d+/, '"bytes": 1')),
      ['evidence.file-digest'],
    ],
    ['the index is none', () => edited('evidence.index.json', () => '{}'), ['evidence.index']],
    [
      'the index is of another run',
      () => edited('evidence.index.json', (text) => text.replace(evidenceDocument().runId, 'run-2')),
      ['evidence.run'],
    ],
    [
      'the evidence file was taken away',
      () => {
        const files = untouched();
        files.delete('evidence.json');
        return files;
      },
      ['evidence.file-missing'],
    ],
  ];
  test.each(rows)('is refused when %s', (_, files, expected) => {
    expect(codes(files())).toEqual(expected);
  });

  test('says which line does not follow, and what would', () => {
    const { findings } = verifyFolder(
      rewritten((document) => {
        document.lines[26] = 'task_result=6';
      }, false),
    );
    const at = evidenceDocument().lines[26];
    expect(findings).toEqual([
      { code: 'evidence.line', detail: `line 27 is "task_result=6", but "${at}" follows from the observations` },
    ]);
  });

  test('is refused when any one byte of any of its files is another', () => {
    const files = untouched();
    const names = [...files.keys()];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 1, max: 255 }), (name, at, by) => {
        const bytes = Buffer.from(files.get(name) as Buffer);
        const place = at % bytes.length;
        bytes[place] = ((bytes[place] ?? 0) + by) % 256;
        // The index has no digest of itself: its white space is the one thing that may be another.
        const before = files.get(name)?.toString('utf8') ?? '';
        fc.pre(name !== 'evidence.index.json' || !sameJson(bytes.toString('utf8'), before));
        expect(verifyFolder(new Map(files).set(name, bytes)).findings).not.toEqual([]);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  test('is refused when any one value of the evidence file is another, whatever the index says', () => {
    const paths = leaves(evidenceDocument());
    fc.assert(
      fc.property(fc.constantFrom(...paths), (path) => {
        const files = reindexed(tampered((document) => change(document, path)));
        expect([path, verifyFolder(files).findings.length > 0]).toEqual([path, true]);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

function sameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false;
  }
}

function leaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function change(document: Loose, path: readonly string[]): void {
  const inner = path.slice(0, -1).reduce((value, key) => value[key], document);
  const key = path.at(-1) ?? '';
  const before = inner[key];
  inner[key] = typeof before === 'number' ? before + 1 : typeof before === 'boolean' ? !before : `${before}x`;
}
