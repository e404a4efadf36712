import { oneLine } from '../../core/boundedText.js';
import { asRecord } from '../model/json.js';

const stepCharacters = 100;
const errorCharacters = 1_000;

/**
 * The `step` and the `error` of the structured result that the setup container leaves as its last words (schema raygate.setup/v1),
 * in one bounded line; undefined for words of another form. Give it cleaned text: it cuts.
 */
export function setupWords(message: string): string | undefined {
  let words: unknown;
  try {
    words = JSON.parse(message);
  } catch {
    return undefined; // An earlier crash, or text of the runtime.
  }
  const { step, error } = asRecord(words);
  if (typeof step !== 'string' || typeof error !== 'string') return undefined;
  return `step ${oneLine(step, stepCharacters)}: ${oneLine(error, errorCharacters)}`;
}

/** Words of any form in one bounded line. */
export function anyWords(message: string): string {
  return oneLine(message, errorCharacters);
}
