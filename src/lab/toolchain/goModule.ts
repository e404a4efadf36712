import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateError } from '../../core/gateError.js';
import { run } from '../../host/process.js';
import type { BuildUnit } from './units.js';

/** The folder of the project that holds one Go module a toolchain, seen from the compiled file and from the source alike. */
export const toolchainFolder = join(__dirname, '..', '..', '..', 'lab', 'toolchain');

const oldestGo = [1, 26] as const;

/** The Go that builds the lab, as `go version` says it. Throws a `lab` error when there is none, or an older one than 1.26. */
export async function goVersion(): Promise<string> {
  const missing = (found: string) =>
    new GateError({
      layer: 'lab',
      code: 'lab.go-missing',
      message: `the lab is built with Go >= ${oldestGo.join('.')}, found ${found}: install it, or use your own cluster with --context`,
    });
  const { stdout } = await run({ file: 'go', argv: ['version'], timeoutSeconds: 30 }).catch(() => {
    throw missing('none on PATH');
  });
  const version = /go(\d+)\.(\d+)/.exec(stdout);
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  if (!(major > oldestGo[0] || (major === oldestGo[0] && minor >= oldestGo[1]))) throw missing(stdout.trim());
  return stdout.trim();
}

/** The module's own files, by path below its folder, as they go into the build and into its key. */
export async function moduleFiles(module: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(toolchainFolder, module);
  const isSource = (name: string) => /(^|\/)go\.(mod|sum)$|\.go$/.test(name);
  const names = (await readdir(folder, { recursive: true })).filter(isSource).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** 16 hex digits that change when the module's pins, its own source, the build's flags or the Go version change. */
export async function unitKey(unit: BuildUnit, go: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(unit)).update(go);
  for (const [name, content] of await moduleFiles(unit.module)) hash.update(`\0${name}\0${content}`);
  return hash.digest('hex').slice(0, 16);
}

/** Where a module of the graph stands in Go's module cache; downloads it when it is not there yet. */
export async function moduleFolder(toolchain: string, path: string): Promise<string> {
  const { stdout } = await run({
    file: 'go',
    argv: ['mod', 'download', '-json', path],
    cwd: join(toolchainFolder, toolchain),
    timeoutSeconds: 600,
  });
  const { Dir } = JSON.parse(stdout) as { Dir?: string };
  if (!Dir)
    throw new GateError({
      layer: 'lab',
      code: 'lab.module-missing',
      message: `Go module ${path} could not be downloaded`,
    });
  return Dir;
}
