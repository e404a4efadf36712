import { failed, ready, type Verdict } from '../../core/verdict.js';
import type { SetupResult } from '../model/identities.js';
import { asCount, asRecord, asText, parseJson } from '../model/json.js';
import { archivePathOf, requiredMember } from '../model/runtimeEnv.js';
import { anyWords, setupWords } from './setupWords.js';

/** Lines that setup's log must hold, in any order (spec of the setup Job). */
export const setupMarkers = [
  'Running migrations...',
  'Collecting static files...',
  'Building shared RuntimeEnv source bundle...',
  'RuntimeEnv bundle ready:',
  'Django setup complete!',
] as const;

export interface SetupResultExpectation {
  readonly archiveUri: string;
  readonly sourceTree: string;
}

/** Judges the structured result (schema raygate.setup/v1) and the log of the setup container. */
export function judgeSetupResult(message: string, log: string, expected: SetupResultExpectation): Verdict<SetupResult> {
  const result = parseJson(message);
  if (result === undefined) {
    return failed(
      'setup.no-result',
      'The setup container left no structured result: build the application image again.',
    );
  }
  const record = asRecord(result);
  if (record['schema'] !== 'raygate.setup/v1' || record['status'] !== 'complete') {
    const [schema, status] = [anyWords(asText(record['schema'])), anyWords(asText(record['status']))];
    const detail = `The setup result is "${schema}" with status "${status}", not a complete raygate.setup/v1`;
    const words = setupWords(message);
    return failed('setup.incomplete-result', words === undefined ? `${detail}.` : `${detail}: ${words}`);
  }
  const archive = asRecord(record['archive']);
  const [uri, bytes, sha256] = [asText(archive['uri']), asCount(archive['bytes']), asText(archive['sha256'])];
  if (uri !== expected.archiveUri) {
    return failed('setup.archive-uri', `Setup made the archive "${uri}", but the plan's is "${expected.archiveUri}".`);
  }
  const path = asText(archive['path']);
  if (path === '' || path !== archivePathOf(uri)) {
    return failed('setup.archive-path', `Setup wrote "${path}", which is not the file of ${uri}.`);
  }
  const [members, member] = [asCount(archive['members']), asText(archive['required_member'])];
  if (!Number.isInteger(members) || members < 1 || member !== requiredMember) {
    return failed(
      'setup.archive-members',
      `Setup's archive has ${members} members and its required one is "${member}", not ${requiredMember}.`,
    );
  }
  if (!Number.isInteger(bytes) || bytes < 1 || !/^[0-9a-f]{64}$/.test(sha256)) {
    return failed('setup.archive-facts', `Setup gave ${bytes} bytes and the digest "${sha256}" for its archive.`);
  }
  const sourceTree = asText(record['source_tree']);
  if (sourceTree !== expected.sourceTree) {
    return failed(
      'setup.source-tree',
      `Setup ran for tree "${sourceTree}", but the commit's tree is ${expected.sourceTree}.`,
    );
  }
  const lines = log.split('\n').map((line) => line.trim());
  const missing = setupMarkers.filter((marker) => !lines.some((line) => line.includes(marker)));
  if (missing.length > 0) {
    return failed(
      'setup.markers',
      `The last lines of setup's log lack ${missing.map((marker) => `"${marker}"`).join(', ')}.`,
    );
  }
  return ready({ archive: { uri, path, bytes, sha256, members }, sourceTree });
}
