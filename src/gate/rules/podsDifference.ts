import type { PodIdentity } from '../model/identities.js';

/** The first difference between pods that were proven and pods that live, restarts included. */
export function podsDifference(proven: readonly PodIdentity[], live: readonly PodIdentity[]): string | undefined {
  for (const pod of proven) {
    const now = live.find((candidate) => candidate.uid === pod.uid);
    if (now === undefined) return `pod ${pod.name} (${pod.uid}) is gone`;
    const [was, is] = [imagesOf(pod), imagesOf(now)];
    if (was !== is) return `pod ${pod.name} runs ${is} instead of ${was}`;
    if (now.restarts !== pod.restarts)
      return `a container of pod ${pod.name} restarted (${pod.restarts} -> ${now.restarts})`;
  }
  const stranger = live.find((pod) => !proven.some((candidate) => candidate.uid === pod.uid));
  return stranger && `pod ${stranger.name} (${stranger.uid}) is new`;
}

function imagesOf(pod: PodIdentity): string {
  return [...pod.initContainers, ...pod.containers].map((one) => `${one.name}=${one.imageDigest}`).join(',');
}
