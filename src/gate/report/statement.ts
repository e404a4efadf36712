import { createHash } from 'node:crypto';
import type { ImageObservation } from '../model/observation.js';
import type { EvidenceDocument } from './evidence.js';
import { evidenceFiles } from './evidenceFiles.js';
import { reportOfEvidence } from './gateReport.js';

/** https://in-toto.io/Statement/v1, and of the in-toto attestation framework's vetted predicates the one for test runs. */
const statementType = 'https://in-toto.io/Statement/v1';
const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';

interface ResourceDescriptor {
  readonly name: string;
  readonly uri?: string;
  readonly digest: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * An in-toto statement of a proven run, unsigned: who wants an attestation signs these bytes. Subjects are the images, by each of
 * their digests, and the RuntimeEnv archive. The predicate is `test-result`: one invocation of a suite whose tests are the layers. The
 * two verification summaries (SLSA's, and `svr`) are the word of a verifier whom a signature names, and this has none.
 */
export function inTotoStatement(document: EvidenceDocument, evidenceText: string): string {
  const { runId, finishedAt, plan, observations } = document;
  const { app, legacy } = observations.images.facts;
  const { archive } = observations.setup.facts.result;
  const { commit, tree, archiveSha256 } = plan.source;
  const layers = reportOfEvidence(document).layers.map(({ layer }) => layer);
  const statement = {
    _type: statementType,
    subject: [
      ...imageSubjects(app),
      ...imageSubjects(legacy),
      {
        name: archive.uri.slice(archive.uri.lastIndexOf('/') + 1),
        uri: archive.uri,
        digest: { sha256: archive.sha256 },
      },
    ] satisfies ResourceDescriptor[],
    predicateType,
    predicate: {
      result: 'PASSED',
      configuration: [
        { name: 'source', digest: { gitCommit: commit, gitTree: tree } },
        { name: `git archive ${commit}`, digest: { sha256: archiveSha256 } },
      ] satisfies ResourceDescriptor[],
      passedTests: layers,
      warnedTests: [],
      failedTests: [],
      // An extension field, as the framework's parsing rules allow.
      raygate_run: {
        signed: false,
        note: 'This statement is not signed. raygate evidence verify proves that it follows from the observations in evidence.json, not who made them.',
        runId,
        finishedAt,
        evidence: {
          name: evidenceFiles.document,
          digest: { sha256: createHash('sha256').update(evidenceText).digest('hex') },
        } satisfies ResourceDescriptor,
      },
    },
  };
  return `${JSON.stringify(statement, undefined, 2)}\n`;
}

/** One subject a digest: they are of different contents, which all stand for the one image. */
function imageSubjects({ reference, index, manifest, config }: ImageObservation): readonly ResourceDescriptor[] {
  const roles = { index, manifest, config };
  return Object.entries(roles).flatMap(([role, digest]) =>
    digest === undefined
      ? []
      : { name: `${reference} (${role})`, digest: { sha256: digest.replace(/^sha256:/, '') }, annotations: { role } },
  );
}
