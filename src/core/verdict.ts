/**
 * What a rule says of the facts it was given. Rules return only this: they never throw and never read anything.
 *
 * - `ready`: the condition holds; `facts` are what was observed, for the evidence.
 * - `waiting`: it does not hold yet and may without anybody's doing; `detail` is one line that says what is waited for.
 * - `failed`: it can never hold without a change, so a wait ends at once.
 *
 * `code` is stable and dotted (`ray.pod-not-owned`); `detail` names the object and the value.
 */
export type Verdict<Facts = Record<never, never>> =
  | { readonly kind: 'ready'; readonly facts: Facts }
  | { readonly kind: 'waiting'; readonly code: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: string };

/** A verdict that is not `ready`. */
export type Unready = Exclude<Verdict<never>, { kind: 'ready' }>;

export function ready<Facts>(facts: Facts): Verdict<Facts> {
  return { kind: 'ready', facts };
}

export function waiting(code: string, detail: string): Unready {
  return { kind: 'waiting', code, detail };
}

export function failed(code: string, detail: string): Unready {
  return { kind: 'failed', code, detail };
}

/** Whether a `waiting` of this code says only that nobody could be asked: the codes of such end in one of these words. */
export function isUnseen(code: string): boolean {
  return /\.(unreadable|unconfirmed|not-listed|no-answer)$/.test(code);
}

/**
 * Joins verdicts that must all hold: the first `failed` wins, else all that is waited for in one line, else `ready` with
 * the facts in the order given.
 */
export function allReady<Facts>(verdicts: readonly Verdict<Facts>[]): Verdict<readonly Facts[]> {
  const failure = verdicts.find((v) => v.kind === 'failed');
  if (failure) return failure;
  const pending = verdicts.filter((v) => v.kind === 'waiting');
  const first = pending[0];
  if (first) return { kind: 'waiting', code: first.code, detail: pending.map((v) => v.detail).join('; ') };
  return ready(verdicts.flatMap((v) => (v.kind === 'ready' ? [v.facts] : [])));
}
