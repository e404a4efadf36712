// `npm test`: every suite in turn, one closing line. Arguments name suites (static, unit, app, contract, lab); none means all.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runHeard } from './heard.mjs';
import { ensureSetup, nodeBinary, nodeEnvironment, projectFolder, runMain, runProgram, SetupError } from './setup.mjs';

const reports = join(projectFolder, '.raygate', 'test-reports');
const tool = (name) => join(projectFolder, 'node_modules', '.bin', name);
const node = (file, argv, options) => runProgram(nodeBinary(), [file, ...argv], { env: nodeEnvironment(), ...options });

/** Each suite's count of what passed and failed. */
const totals = { passed: 0, failed: 0 };
const count = (passed, failed) => {
  totals.passed += passed;
  totals.failed += failed;
};

const staticChecks = [
  ['types of src', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
  ['types of tests', 'tsc', ['--noEmit', '-p', 'config/tsconfig.tests.json']],
  ['lint and format', 'biome', ['ci', '--log-level=warn', '.']],
  ['rendered manifests', '../../bin/raygate.mjs', ['synth', '--check']],
];

async function runStatic() {
  for (const [name, file, argv] of staticChecks) {
    const { code, output } = await node(tool(file), argv);
    count(code === 0 ? 1 : 0, code === 0 ? 0 : 1);
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} static: ${name}\n${code === 0 ? '' : output}`);
  }
}

/**
 * Seconds without a word after which a suite's runner counts as hung (vitest 5.1 was seen to: main process and worker each waiting for the
 * other, no test under way); it is ended and run once more. A test of its own says how long it may take.
 */
const silenceSeconds = { unit: 300, contract: 900, lab: 1800 };

async function runVitest(project, environment = {}) {
  const report = join(reports, `${project}.json`);
  const argv = [
    tool('vitest'),
    'run',
    '--config',
    'config/vitest.config.mts',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const env = { ...nodeEnvironment(), ...environment, NO_COLOR: '1' };
  const once = () => {
    rmSync(report, { force: true });
    return runHeard(nodeBinary(), argv, { env, silenceSeconds: silenceSeconds[project] });
  };
  let { code, silent } = await once();
  if (silent) {
    process.stdout.write(
      `${project}: the runner said nothing for ${silenceSeconds[project]} s and was ended; once more\n`,
    );
    ({ code } = await once());
  }
  if (!existsSync(report)) return count(0, 1); // It ended before it could say what failed.
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that does not load has no failed test, and an error between tests has neither: both are failures.
  const failed = Math.max(numFailedTests, numFailedTestSuites > 0 || code !== 0 ? 1 : 0);
  count(numPassedTests, failed);
}

/** The application's own tests, in a container of the very image that its Dockerfile starts from. */
async function runApp() {
  const { dockerHost, dockerConfig, pulumiEnvironment } = await lab();
  const env = { ...process.env, PATH: pulumiEnvironment.PATH, DOCKER_HOST: dockerHost, DOCKER_CONFIG: dockerConfig };
  const argv = [join(projectFolder, 'app', 'run-tests'), '--image', 'python:3.13-slim'];
  const { code, output } = await runProgram('bash', argv, { env });
  const passed = Number(/(\d+) passed/.exec(output)?.[1] ?? 0);
  const failed = Number(/(\d+) failed/.exec(output)?.[1] ?? 0);
  if (code !== 0) process.stdout.write(output);
  count(passed, Math.max(failed, code !== 0 || passed === 0 ? 1 : 0));
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} app: ${passed} passed, ${failed} failed\n`);
}

let broughtUp;

/** Brings the lab up once, and returns where its parts are. */
function lab() {
  broughtUp ??= (async () => {
    const { code } = await raygate(['lab', 'up'], { show: true });
    if (code !== 0) throw new SetupError('the lab did not come up: see the line above');
    const { output } = await raygate(['env', '--json']);
    return JSON.parse(output.slice(output.lastIndexOf('\n{') + 1));
  })();
  return broughtUp;
}

const raygate = (argv, options) => node(join(projectFolder, 'dist', 'cli', 'main.js'), argv, options);

/** What the contract and lab suites find the real parts by. */
async function realParts() {
  const { kubeconfig, etcd, pulumi, pulumiEnvironment } = await lab();
  return {
    // With the lab's Docker client first, where the tests look for one themselves.
    PATH: pulumiEnvironment.PATH,
    RAYGATE_TEST_KUBECONFIG: kubeconfig,
    RAYGATE_TEST_BINARIES: dirname(etcd),
    RAYGATE_PULUMI_BIN: dirname(pulumi),
  };
}

const suites = {
  static: runStatic,
  unit: () => runVitest('unit'),
  app: runApp,
  contract: async () => runVitest('contract', await realParts()),
  lab: async () => runVitest('lab', await realParts()),
};

await runMain(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !(name in suites));
  if (unknown.length > 0) {
    process.stderr.write(`there is no suite ${unknown.join(', ')}: give ${Object.keys(suites).join(', ')}\n`);
    return 2;
  }
  await ensureSetup();
  mkdirSync(reports, { recursive: true });
  for (const name of asked.length > 0 ? asked : Object.keys(suites)) await suites[name]();
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1;
});
