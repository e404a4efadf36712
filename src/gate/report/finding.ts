/** One thing that is wrong with an evidence: a stable code, and a line with the name and the value. */
export interface Finding {
  /** `evidence.line`. */
  readonly code: string;
  readonly detail: string;
}
