import type { RunDecision } from '../flows/decideRun.js';

/** What an `up` does about the proof, and why; of a preview, what it would do. A preview's new run id is of no run, and not named. */
export function decisionSentence(decision: RunDecision, preview: boolean): string {
  switch (decision.kind) {
    case 'still-proven':
      return `still proven by run ${decision.runId} of ${decision.since} (checked live: ${decision.checked.join(', ')})`;
    case 'continued': {
      const what = `run ${decision.runId}, started at ${decision.startedAt}, that has no evidence yet`;
      return preview ? `up would continue ${what}` : `continuing ${what}`;
    }
    case 'new':
      return preview ? `up would start a new run: ${decision.why}` : `new run ${decision.runId}: ${decision.why}`;
  }
}
