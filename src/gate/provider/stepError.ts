import { isClusterError } from '../../cluster/clusterError.js';
import { oneLine, textBounds } from '../../core/boundedText.js';
import { soundsPassing } from '../../core/foreignText.js';
import { GateError, isGateError, restated } from '../../core/gateError.js';
import type { StepLayer } from '../model/plan.js';

/** Whatever a layer threw as the one error of its step: one line, cleaned, then bounded. What is not ours is judged by its words. */
export function stepError(error: unknown, layer: StepLayer, cleanText: (text: string) => string): GateError {
  const clean = (text: string) => oneLine(cleanText(text), textBounds.secondaryContext.characters);
  if (isGateError(error)) return restated(error, { message: clean(error.message) });
  const text = error instanceof Error ? error.message : String(error);
  const [code, retryable] = isClusterError(error) ? [error.code, error.retryable] : ['internal', soundsPassing(text)];
  return new GateError({ layer, code: `${layer}.${code}`, message: clean(text), retryable });
}
