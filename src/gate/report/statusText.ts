import { oneLine } from '../../core/boundedText.js';
import type { LayerStatus, Status } from '../model/status.js';

/** What a status is of. */
export interface StatusHead {
  readonly stack: string;
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
}

const lineCharacters = 160;
const mostSteps = 4;

const words: Readonly<Record<LayerStatus['state'], string>> = {
  ready: 'ok',
  waiting: 'WAITS',
  failed: 'FAILED',
  seen: 'seen',
  'not-reached': '-',
};

const upWords: Readonly<Record<Status['up']['does'], string>> = {
  nothing: 'would do nothing',
  continue: 'would go on',
  'new-run': 'would begin a new run',
  refused: 'would not begin',
};

/** One screen. Cleaned, then cut. */
export function statusText(head: StatusHead, status: Status, clean: (text: string) => string): string {
  const lines: string[] = [];
  const line = (label: string, text: string) => lines.push(`${label.padEnd(7)}${text}`);
  line('stack', `${head.stack}: namespace ${head.namespace} of ${head.context} at ${head.server}`);
  line('proof', status.proof);
  line('run', status.run);
  for (const { layer, text } of status.steps.slice(-mostSteps)) line('', `[${layer}] ${text}`);
  const width = Math.max(...status.layers.map(({ layer }) => layer.length), 0);
  status.layers.forEach(({ layer, state, detail }, i) => {
    line(i === 0 ? 'layers' : '', `${layer.padEnd(width)}  ${words[state].padEnd(6)}  ${detail}`);
  });
  line('up', `${upWords[status.up.does]}: ${status.up.why}`);
  return lines.map((text) => `${cut(clean(text))}\n`).join('');
}

/** Like `oneLine`, with the columns kept. */
function cut(text: string): string {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const flat = text.replace(/[\r\n\t]+/g, ' ').trimEnd();
  return flat.length <= lineCharacters ? flat : indent + oneLine(flat, lineCharacters - indent.length);
}
