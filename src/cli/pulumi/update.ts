import { type EngineEvent, LocalWorkspace, type Stack } from '@pulumi/pulumi/automation/index.js';
import type { Progress } from '../../core/progress.js';
import { projectFolder } from '../projectFolder.js';
import { plain, readDiagnostic, rowName } from './diagnostic.js';
import type { PulumiHome } from './home.js';

/** Selects the stack in raygate's own backend, or makes it. */
export async function openStack(stack: string, home: PulumiHome): Promise<Stack> {
  // The Automation API looks `pulumi` up on this process' own PATH.
  process.env['PATH'] = home.environment['PATH'];
  // Read by the provider's own process, above any setting of ours: it would take over fields of other managers.
  delete process.env['PULUMI_K8S_ENABLE_PATCH_FORCE'];
  return LocalWorkspace.createOrSelectStack(
    { stackName: stack, workDir: projectFolder },
    { envVars: { ...home.environment }, pulumiHome: home.environment['PULUMI_HOME'] ?? home.folder },
  );
}

export interface UpdateResult {
  readonly ok: boolean;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Error diagnostics in their order, without colours. */
  readonly errors: readonly string[];
  readonly changes: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** The row of what happens before the program has registered anything. */
const beforeFirstRow = 'preflight';

/** One `pulumi up`, shown through its typed events: what each row waits for, and every error. Never throws for a failed update. */
export async function update(stack: Stack, progress: Progress, say: (line: string) => void): Promise<UpdateResult> {
  const start = performance.now();
  const errors: string[] = [];
  const changes: Record<string, number> = {};
  const onEvent = (event: EngineEvent) => {
    const pre = event.resourcePreEvent?.metadata;
    if (pre && !pre.type.startsWith('pulumi:')) progress(beforeFirstRow, '');
    if (pre && pre.op !== 'same' && !pre.type.startsWith('pulumi:') && !isComponent(pre.type))
      progress(rowName(pre.urn), pre.op);
    const outputs = event.resOutputsEvent?.metadata;
    if (outputs) {
      progress(rowName(outputs.urn), '');
      changes[outputs.op] = (changes[outputs.op] ?? 0) + 1;
    }
    const failed = event.resOpFailedEvent?.metadata;
    if (failed) progress(rowName(failed.urn), '');
    const diagnostic = event.diagnosticEvent;
    if (!diagnostic) return;
    const heard = readDiagnostic(diagnostic);
    if (heard.kind === 'error') errors.push(heard.message);
    else if (heard.kind === 'progress') progress(heard.row, heard.waitingFor);
    else if (heard.kind === 'line') say(heard.line);
  };
  try {
    progress(beforeFirstRow, 'pulumi starts, and preflight looks at source, cluster and Docker');
    const result = await stack.up({ onEvent, color: 'never', suppressProgress: true });
    const outputs = Object.fromEntries(
      Object.entries(result.outputs).map(([key, output]) => [key, output.value as unknown]),
    );
    return { ok: true, outputs, errors, changes, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    if (errors.length === 0) errors.push(commandError(error));
    return { ok: false, outputs: {}, errors, changes, seconds: (performance.now() - start) / 1000 };
  } finally {
    progress(beforeFirstRow, '');
  }
}

/** What the CLI itself says, without the command's frame around it (`code: …`, `stdout: …`). */
function commandError(error: unknown): string {
  const text = plain(error instanceof Error ? error.message : String(error));
  const named = text.split('\n').find((line) => /^(stderr: )?error: /.test(line));
  return named?.replace(/^(stderr: )?error: /, '') ?? text.replaceAll('\n', ' ');
}

/** Components only hold others: their rows say nothing that those do not. */
function isComponent(type: string): boolean {
  return type.startsWith('raygate:');
}
