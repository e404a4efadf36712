/** What an interrupt does: the work under way is let end, nothing more happens, or the process ends at once. */
export type InterruptAnswer = 'let-end' | 'heard' | 'leave';

/**
 * A signal to the whole process group reaches npm as well, which passes it on: what arrives within this time is one request, heard
 * twice.
 */
const sameRequestMilliseconds = 2_000;

/** Answers interrupts in their order. `unfinished`: pieces of work that must be let end; `nowMs`: a clock that never goes back. */
export function interruptAnswers(): (unfinished: number, nowMs: number) => InterruptAnswer {
  let askedMs: number | undefined;
  return (unfinished, nowMs) => {
    if (unfinished === 0) return 'leave';
    if (askedMs === undefined) {
      askedMs = nowMs;
      return 'let-end';
    }
    return nowMs - askedMs < sameRequestMilliseconds ? 'heard' : 'leave';
  };
}
