/** Which run an `up` is: the steps run when their run id changes, and only then. */
export type RunDecision =
  | {
      readonly kind: 'still-proven';
      readonly runId: string;
      /** RFC 3339. */
      readonly since: string;
      readonly checked: readonly string[];
    }
  | { readonly kind: 'continued'; readonly runId: string }
  | { readonly kind: 'new'; readonly runId: string; readonly why: string };
