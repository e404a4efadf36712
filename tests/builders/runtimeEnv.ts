import type { NodeAnswer } from '../../src/gate/model/runtimeEnv.js';
import { archivePath, archiveUri } from './step.js';

export const archive = { uri: archiveUri, path: archivePath, bytes: 10, sha256: 'e'.repeat(64), members: 3 };

/** What a healthy Ray node says, as its probe prints it. */
export function nodeOutput(fields: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({
    schema: 'raygate.node/1',
    bare_django_ray: null,
    bytes: archive.bytes,
    sha256: archive.sha256,
    members: archive.members,
    required_member: true,
    expanded_django_ray: 'src/django_ray/__init__.py',
    ...fields,
  })}\n`;
}

export function nodeAnswer(pod: string, fields: Readonly<Record<string, unknown>> = {}): NodeAnswer {
  return { pod, uid: `${pod}-uid`, exitCode: 0, stdout: nodeOutput(fields), stderr: '' };
}
