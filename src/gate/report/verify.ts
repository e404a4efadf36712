import { contradictions } from './consistency.js';
import { type EvidenceDocument, sourcesOf } from './evidence.js';
import { derivedFiles } from './evidenceContents.js';
import { evidenceFiles } from './evidenceFiles.js';
import { indexedFiles, readIndex, sha256 } from './evidenceIndex.js';
import { evidenceBlock } from './evidenceLines.js';
import { readEvidence } from './evidenceSchema.js';
import type { Finding } from './finding.js';

export interface Verification {
  /** Undefined when the evidence file cannot be read as one. */
  readonly document: EvidenceDocument | undefined;
  /** What was looked at, in words. */
  readonly checked: readonly string[];
  readonly findings: readonly Finding[];
}

/** Files by name, with the bytes that were found. */
export type FoundFiles = ReadonlyMap<string, Uint8Array>;

/** Checks an evidence file by itself: its form, that its observations agree, and that its lines follow from them. */
export function verifyDocument(content: Uint8Array): Verification {
  const reading = readEvidence(decoded(content));
  if (!reading.ok) {
    const missing = reading.missingLayers.map((layer) =>
      finding('observation-missing', `it has no observation of ${layer}`),
    );
    const wrong = finding('schema', `${evidenceFiles.document} is none: ${reading.problems.slice(0, 3).join('; ')}`);
    return { document: undefined, checked: ['form'], findings: missing.length > 0 ? missing : [wrong] };
  }
  const { document } = reading;
  const findings = [...contradictions(document), ...lineFindings(document)];
  const checked = [
    'form',
    `${Object.keys(document.observations).length} observations`,
    `${document.lines.length} lines`,
  ];
  return { document, checked, findings };
}

/**
 * Checks a whole evidence folder: that there are exactly the files that belong together, each as the index knows it, and that each
 * follows from the evidence file.
 */
export function verifyFolder(files: FoundFiles): Verification {
  const { document: name, index: indexName } = evidenceFiles;
  const content = files.get(name);
  const own: Verification = content ? verifyDocument(content) : { document: undefined, checked: [], findings: [] };
  const membership = memberFindings(files);
  const index = readIndex(decoded(files.get(indexName)));
  const indexed = index
    ? indexFindings(files, index, own.document?.runId)
    : files.has(indexName)
      ? [finding('index', `${indexName} is no index of an evidence folder`)]
      : [];
  const derived = content && own.document ? derivedFindings(files, own.document, decoded(content)) : [];
  return {
    document: own.document,
    checked: [`${files.size} files by name and digest`, ...own.checked, 'text, statement, JUnit and page, made anew'],
    findings: [...membership, ...own.findings, ...derived, ...indexed],
  };
}

function memberFindings(files: FoundFiles): readonly Finding[] {
  const belonging: readonly string[] = Object.values(evidenceFiles);
  return [
    ...belonging.filter((name) => !files.has(name)).map((name) => finding('file-missing', `${name} is not there`)),
    ...[...files.keys()]
      .filter((name) => !belonging.includes(name))
      .map((name) => finding('file-added', `${name} does not belong to an evidence`)),
  ];
}

function indexFindings(
  files: FoundFiles,
  index: NonNullable<ReturnType<typeof readIndex>>,
  runId: string | undefined,
): readonly Finding[] {
  const strangers = Object.keys(index.files).filter((name) => !indexedFiles.includes(name));
  const digests = indexedFiles.flatMap((name) => {
    const [entry, content] = [index.files[name], files.get(name)];
    if (entry === undefined) return finding('index', `the index lacks ${name}`);
    if (content === undefined) return [];
    const found = sha256(content);
    return found === entry.sha256 && content.length === entry.bytes
      ? []
      : finding(
          'file-digest',
          `${name} has the digest ${found} and ${content.length} bytes; the index knows ${entry.sha256} and ${entry.bytes}`,
        );
  });
  const run =
    runId === undefined || index.runId === runId
      ? []
      : [finding('run', `the index is of run ${index.runId}, not ${runId}`)];
  return [
    ...strangers.map((name) => finding('index', `the index knows ${name}, which does not belong to an evidence`)),
    ...digests,
    ...run,
  ];
}

const derivedCodes: Readonly<Record<string, string>> = {
  [evidenceFiles.lines]: 'text',
  [evidenceFiles.statement]: 'statement',
  [evidenceFiles.junit]: 'junit',
  [evidenceFiles.page]: 'page',
};

function derivedFindings(files: FoundFiles, document: EvidenceDocument, text: string): readonly Finding[] {
  return [...derivedFiles(document, text)].flatMap(([name, expected]) => {
    const content = files.get(name);
    if (content === undefined || Buffer.from(content).equals(Buffer.from(expected, 'utf8'))) return [];
    const where = differingLine(decoded(content), expected);
    return finding(
      derivedCodes[name] ?? 'file',
      `${name} is not what follows from ${evidenceFiles.document}: line ${where} differs`,
    );
  });
}

function lineFindings(document: EvidenceDocument): readonly Finding[] {
  const expected = evidenceBlock(sourcesOf(document));
  const count = Math.max(expected.length, document.lines.length);
  const differing = Array.from({ length: count }, (_, at) => at).filter((at) => expected[at] !== document.lines[at]);
  const [first] = differing;
  if (first === undefined) return [];
  const shown = (line: string | undefined) => (line === undefined ? 'nothing' : `"${line}"`);
  const more = differing.length > 1 ? ` (and ${differing.length - 1} more)` : '';
  return [
    finding(
      'line',
      `line ${first + 1} is ${shown(document.lines[first])}, but ${shown(expected[first])} follows from the observations${more}`,
    ),
  ];
}

function differingLine(found: string, expected: string): number {
  const [a, b] = [found.split('\n'), expected.split('\n')];
  const at = b.findIndex((line, index) => line !== a[index]);
  return at < 0 ? b.length : at + 1;
}

function decoded(content: Uint8Array | undefined): string {
  return content === undefined ? '' : Buffer.from(content).toString('utf8');
}

function finding(code: string, detail: string): Finding {
  return { code: `evidence.${code}`, detail };
}
