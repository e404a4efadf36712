import { readFile } from 'node:fs/promises';
import { type Document, isMap, parseDocument } from 'yaml';
import { GateError } from '../core/gateError.js';

/** A settings file as it stands. `file`: what it is called in messages. */
export interface SettingsDocument {
  readonly document: Document;
  /** What stands under `config`. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** @throws GateError `settings.malformed` for a text that is no YAML mapping, or whose `config` is none. */
export function parseSettingsDocument(text: string, file: string): SettingsDocument {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw malformed(file, error.message.split('\n')[0] ?? error.code);
  const { contents } = document;
  if (contents !== null && !isMap(contents)) throw malformed(file, 'it is no mapping');
  const config = plainValue(document, file)?.['config'] ?? {};
  if (typeof config !== 'object' || Array.isArray(config)) throw malformed(file, 'its config is no mapping');
  return { document, config: config as Readonly<Record<string, unknown>> };
}

/** The text of a settings file; undefined when there is none. @throws GateError `settings.unreadable` */
export async function readSettingsText(path: string, file: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new GateError({
      layer: 'settings',
      code: 'settings.unreadable',
      message: `${file} cannot be read (${error.code ?? error.message}): it must be a file that this user can read`,
    });
  });
}

/** Aliases that grow beyond all measure are found only here. */
function plainValue(document: Document, file: string): Readonly<Record<string, unknown>> | null {
  try {
    return document.toJS();
  } catch (error) {
    throw malformed(file, (error as Error).message.split('\n')[0] ?? 'its aliases cannot be followed');
  }
}

function malformed(file: string, why: string): GateError {
  return new GateError({
    layer: 'settings',
    code: 'settings.malformed',
    message: `${file} cannot be read as settings: ${why}; mend it, or remove it and start from a template in stacks/`,
  });
}
