import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { GateError } from '../core/gateError.js';

/** Where the user typed the command. */
export interface TypedIn {
  readonly workFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const here = (): TypedIn => ({ workFolder: process.cwd(), environment: process.env });

/**
 * A path as the user typed it, made whole from the folder where they typed it. The command and npm run the program in the project's
 * folder, and keep that one in `INIT_CWD`. A leading `~/` that no shell resolved stays, for the settings to resolve.
 * @throws GateError `usage.empty-path`
 */
export function givenPath(argument: string, path: string, { workFolder, environment } = here()): string {
  if (path.trim() === '') {
    throw new GateError({
      layer: 'usage',
      code: 'usage.empty-path',
      message: `the value of ${argument} is empty: give a path`,
    });
  }
  return path.startsWith('~/') ? path : resolve(environment['INIT_CWD'] ?? workFolder, path);
}

/** The same, with the home folder in the place of `~/`. @throws GateError `usage.empty-path` */
export function givenPlace(argument: string, path: string, typedIn?: TypedIn): string {
  const given = givenPath(argument, path, typedIn);
  return given.startsWith('~/') ? join(homedir(), given.slice(2)) : given;
}
