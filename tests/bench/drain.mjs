// `npm run bench:drain`: how long the workspace drain's decision over a list of Workloads takes, beside decoding the same list and doing nothing
// with it, in one run on one machine. The list is laid out in pages as the API server gives them; memory is the peak that the kernel saw of
// a whole process. The decision on a list from a real API server is the lab's bench.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSetup, nodeBinary, nodeEnvironment, projectFolder, runMain } from '../../scripts/setup.mjs';

const sizes = [
  { objects: 1_000, runs: 5 },
  { objects: 10_000, runs: 5 },
  { objects: 100_000, runs: 3 },
];

const goals = { ofParse: 1.3, peakMiB: 400, changeMs: 10 };
const work = join(import.meta.dirname, 'drainWork.mjs');

/** Runs one piece of work to its end: its last line, and peak memory in MiB (polled from /proc, which keeps the peak itself). */
function measure(what, objects, folder) {
  return new Promise((resolve, reject) => {
    const argv = [work, what, String(objects), folder];
    const child = spawn(nodeBinary(), argv, { env: nodeEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
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
      if (code !== 0) return reject(new Error(`${what} of ${objects} ended with exit code ${code}`));
      resolve({ peakMiB: peak, ...JSON.parse(last.trim().split('\n').at(-1)) });
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
const number = (value, digits) => value.toFixed(digits);

async function bench(folder, { objects, runs }) {
  await measure('lay', objects, folder);
  const seen = { parse: [], decide: [] };
  for (let run = 0; run < runs; run += 1)
    for (const what of Object.keys(seen)) seen[what].push(await measure(what, objects, folder));
  const of = (what, field) => median(seen[what].map((each) => field(each)));
  return {
    objects,
    parseSeconds: of('parse', (each) => each.seconds),
    decideSeconds: of('decide', (each) => each.seconds),
    indexSeconds: of('decide', (each) => each.indexSeconds),
    decideMs: of('decide', (each) => each.decideMs),
    parsePeakMiB: Math.max(...seen.parse.map((each) => each.peakMiB)),
    peakMiB: Math.max(...seen.decide.map((each) => each.peakMiB)),
    changeMedianMs: of('decide', (each) => each.changeMs.median),
    changeP99Ms: of('decide', (each) => each.changeMs.p99),
    changeWorstMs: Math.max(...seen.decide.map((each) => each.changeMs.worst)),
  };
}

await runMain(async () => {
  await ensureSetup();
  const folder = mkdtempSync(join(tmpdir(), 'raygate-bench-drain-'));
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, loadBefore: loadavg()[0] };
  process.stdout.write(`${machine.cores} x ${machine.cpu}, load ${number(machine.loadBefore, 1)}\n`);
  process.stdout.write(
    'Workloads  list only s  with decision s  ratio  list MiB  peak MiB  index s  decision ms  a change ms: median    p99  worst\n',
  );
  const rows = [];
  try {
    for (const size of sizes) {
      const row = await bench(folder, size);
      rows.push(row);
      const cells = [
        String(row.objects).padStart(9),
        number(row.parseSeconds, 3).padStart(11),
        number(row.decideSeconds, 3).padStart(15),
        number(row.decideSeconds / row.parseSeconds, 2).padStart(5),
        number(row.parsePeakMiB, 0).padStart(8),
        number(row.peakMiB, 0).padStart(8),
        number(row.indexSeconds, 3).padStart(7),
        number(row.decideMs, 2).padStart(11),
        number(row.changeMedianMs, 3).padStart(19),
        number(row.changeP99Ms, 2).padStart(5),
        number(row.changeWorstMs, 2).padStart(5),
      ];
      process.stdout.write(`${cells.join('  ')}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const most = rows.at(-1);
  const verdicts = [
    ['time, of decoding the list only, at 100,000', most.decideSeconds / most.parseSeconds, goals.ofParse],
    ['peak memory at 100,000, MiB', most.peakMiB, goals.peakMiB],
    ['one change and the decision after it at 100,000, 99th percentile, ms', most.changeP99Ms, goals.changeMs],
  ];
  for (const [what, value, goal] of verdicts)
    process.stdout.write(`${value <= goal ? 'met   ' : 'MISSED'} ${what}: ${number(value, 3)} (goal <= ${goal})\n`);
  const report = join(projectFolder, '.raygate', 'bench');
  mkdirSync(report, { recursive: true });
  writeFileSync(join(report, 'drain.json'), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  return verdicts.every(([, value, goal]) => value <= goal) ? 0 : 1;
});
