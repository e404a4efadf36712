// `npm run bench:synth`: how long synthesis takes, beside `kustomize build` and a plain dump of the same objects through the
// same YAML library, in one run on one machine. Times are of whole processes, medians; memory is the peak that the kernel saw.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ensureSetup, nodeBinary, nodeEnvironment, projectFolder, runMain, runProgram } from '../../scripts/setup.mjs';

/** Objects, and how often each contender is run; kustomize needs most of a minute for the last. */
const sizes = [
  { objects: 40, runs: 5, kustomizeRuns: 5 },
  { objects: 400, runs: 5, kustomizeRuns: 5 },
  { objects: 4000, runs: 5, kustomizeRuns: 1 },
];

const goals = { ofKustomize: 1 / 20, ofDump: 2 };
const work = join(import.meta.dirname, 'synthWork.mjs');

/** Runs a program to its end: seconds, peak memory in MiB (polled from /proc, which keeps the peak itself), last line of output. */
function measure(file, argv) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(file, argv, { env: nodeEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
    let peak = 0;
    let last = '';
    const timer = setInterval(() => {
      const line = /VmHWM:\s+(\d+) kB/.exec(readIfThere(`/proc/${child.pid}/status`));
      if (line) peak = Math.max(peak, Number(line[1]) / 1024);
    }, 2);
    child.stdout.on('data', (chunk) => {
      last = (last + chunk).slice(-4096);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      if (code !== 0) return reject(new Error(`${file} ended with exit code ${code}`));
      resolve({ seconds: (performance.now() - start) / 1000, peakMiB: peak, last: last.trim().split('\n').at(-1) });
    });
  });
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function kustomizeBinary() {
  const folder = join(projectFolder, 'lab', 'toolchain', 'kustomize');
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-trimpath -buildvcs=false -mod=readonly' };
  const { code, output } = await runProgram('go', ['-C', folder, 'tool', '-n', 'kustomize'], { env });
  if (code !== 0) throw new Error(`kustomize was not built: ${output}`);
  return output.trim();
}

async function bench(folder, kustomize, { objects, runs, kustomizeRuns }) {
  const place = join(folder, String(objects));
  mkdirSync(place);
  await measure(nodeBinary(), [work, 'lay', String(objects), place]);
  const contenders = {
    raygate: () => measure(nodeBinary(), [work, 'render', String(objects), place]),
    'plain dump': () => measure(nodeBinary(), [work, 'dump', String(objects), place]),
    'kustomize build': () =>
      measure(kustomize, ['build', join(place, 'kustomize'), '-o', join(place, 'kustomize.yaml')]),
  };
  const seen = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let run = 0; run < runs; run += 1)
    for (const [name, contender] of Object.entries(contenders))
      if (!name.startsWith('kustomize') || run < kustomizeRuns) seen[name].push(await contender());
  return Object.entries(seen).map(([name, results]) => ({
    objects,
    name,
    seconds: median(results.map((result) => result.seconds)),
    workSeconds: name.startsWith('kustomize') ? undefined : median(results.map((r) => JSON.parse(r.last).seconds)),
    peakMiB: Math.max(...results.map((result) => result.peakMiB)),
  }));
}

const number = (value, digits) => (value === undefined ? '' : value.toFixed(digits));

await runMain(async () => {
  await ensureSetup();
  const kustomize = await kustomizeBinary();
  const folder = mkdtempSync(join(tmpdir(), 'raygate-bench-synth-'));
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, loadBefore: loadavg()[0] };
  process.stdout.write(`${machine.cores} x ${machine.cpu}, load ${number(machine.loadBefore, 1)}\n`);
  process.stdout.write('objects  what             process s   work s   peak MiB\n');
  const rows = [];
  try {
    for (const size of sizes)
      for (const row of await bench(folder, kustomize, size)) {
        rows.push(row);
        const cells = [String(row.objects).padStart(7), row.name.padEnd(15), number(row.seconds, 3).padStart(10)];
        cells.push(number(row.workSeconds, 3).padStart(7), number(row.peakMiB, 0).padStart(9));
        process.stdout.write(`${cells.join('  ')}\n`);
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const of = (objects, name) => rows.find((row) => row.objects === objects && row.name === name);
  const [ours, dump, theirs] = ['raygate', 'plain dump', 'kustomize build'].map((name) => of(4000, name));
  const verdicts = [
    ['of kustomize, whole process', ours.seconds / theirs.seconds, goals.ofKustomize],
    ['of the plain dump, the work', ours.workSeconds / dump.workSeconds, goals.ofDump],
    ['growth of the work from 400 to 4,000 (10 is linear)', ours.workSeconds / of(400, 'raygate').workSeconds, 12],
  ];
  for (const [what, ratio, goal] of verdicts)
    process.stdout.write(`${ratio <= goal ? 'met   ' : 'MISSED'} ${what}: ${number(ratio, 3)} (goal <= ${goal})\n`);
  const report = join(projectFolder, '.raygate', 'bench');
  mkdirSync(report, { recursive: true });
  writeFileSync(join(report, 'synth.json'), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  return verdicts.every(([, ratio, goal]) => ratio <= goal) ? 0 : 1;
});
