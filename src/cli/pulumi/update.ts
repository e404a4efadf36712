import { type EngineEvent, LocalWorkspace, type Stack } from '@pulumi/pulumi/automation/index.js';
import type { Progress } from '../../core/progress.js';
import { projectFolder } from '../projectFolder.js';
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

/** One `pulumi up`, shown through its typed events: what each row waits for, and every error. Never throws for a failed update. */
export async function update(stack: Stack, progress: Progress, say: (line: string) => void): Promise<UpdateResult> {
  const start = performance.now();
  const errors: string[] = [];
  const changes: Record<string, number> = {};
  const onEvent = (event: EngineEvent) => {
    const pre = event.resourcePreEvent?.metadata;
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
    // The engine sends its debug lines too, whole resources in them, whatever the SDK's type says.
    if (!diagnostic || (diagnostic.severity as string) === 'debug') return;
    const message = plain(diagnostic.message);
    if (message === '') return;
    const row = diagnostic.urn ? rowName(diagnostic.urn) : 'pulumi';
    const step = /^\[([a-z-]+)\] (.*)/.exec(message);
    if (diagnostic.severity === 'error') errors.push(message);
    else if (step?.[1] !== undefined) progress(step[1], step[2]?.startsWith('passed') ? '' : (step[2] ?? ''));
    else if (diagnostic.ephemeral) progress(row, message.split('\n').at(-1) ?? '');
    else say(`${row}: ${message}`);
  };
  try {
    const result = await stack.up({ onEvent, color: 'never', suppressProgress: true });
    const outputs = Object.fromEntries(
      Object.entries(result.outputs).map(([key, output]) => [key, output.value as unknown]),
    );
    return { ok: true, outputs, errors, changes, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    if (errors.length === 0) errors.push(commandError(error));
    return { ok: false, outputs: {}, errors, changes, seconds: (performance.now() - start) / 1000 };
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

/** `urn:pulumi:lab::raygate::…Step::ray` -> `ray`. */
function rowName(urn: string): string {
  return urn.split('::').at(-1) ?? urn;
}

function plain(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  return message.replace(/\x1b\[[0-9;]*m|<\{%[^%]*%\}>/g, '').trim();
}
