import { deadlineIn } from '../../core/deadline.js';
import { failed, waiting } from '../../core/verdict.js';
import { gateNamespace } from '../model/kinds.js';
import { judgeAccess } from '../rules/accessGranted.js';
import { pollUntil } from './poll.js';
import type { StepContext } from './stepContext.js';

/** A role reaches the authorizer within milliseconds; an API server that is just coming back may take longer. */
const settleSeconds = 60;

/** Before the first request of a run that acts as the deployer's account: waits until the roles just applied are in force. */
export async function awaitAccess(context: StepContext): Promise<void> {
  const { account } = context.plan;
  if (account === undefined) return;
  const look = async () => {
    const granted = await context.cluster.ownRules(gateNamespace);
    if (granted.kind === 'found') return judgeAccess(account, granted.value);
    const reason = granted.kind === 'unreadable' ? granted.reason : 'its rules are absent';
    const detail = `what ${account.username} may do cannot be read: ${reason}`;
    return granted.kind === 'unreadable' && granted.retryable
      ? waiting('drain.access-unreadable', detail)
      : failed('drain.access-unreadable', detail);
  };
  const deadline = deadlineIn(Math.min(settleSeconds, context.deadline.remainingMs() / 1000));
  await pollUntil(look, { layer: 'drain', deadline, everySeconds: 0.2, progress: context.progress });
}
