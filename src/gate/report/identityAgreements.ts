import type { LayerPins, Pin } from '../model/pin.js';
import { type LayerFacts, pinsOfLayers } from '../rules/layerPins.js';
import { pinDifference } from '../rules/pinned.js';
import { identityPins } from '../rules/pins.js';
import { type Agreement, disagreement } from './agreement.js';
import type { EvidenceDocument } from './evidence.js';

/** On who ran: what each layer pinned, what final-identity found of that, and who was there when the evidence was written. */
export const identityAgreements: readonly Agreement[] = [
  (document) => difference('final-identity', pinnedBefore(document), finalPins(document)),
  (document) => {
    const subjects = new Set(pinnedBefore(document).flatMap(({ pins }) => pins.map((pin) => pin.subject)));
    const lost = finalPins(document).filter(({ subject }) => !subjects.has(subject));
    return lost.flatMap(({ subject }) =>
      disagreement('identity', `final-identity found ${subject}, which no layer pinned`),
    );
  },
  ({ observations }) => {
    const { compared } = observations['final-identity'].facts;
    const pinning = pinnedBefore({ plan: noPlan, observations }).map(({ layer }) => layer);
    return compared.join() === pinning.join()
      ? []
      : disagreement('identity', `final-identity compared ${compared.join(', ')}, but ${pinning.join(', ')} pinned`);
  },
  ({ observations, identity }) => {
    const before = identityPins(observations['final-identity'].facts.identity);
    const now = identityPins(identity);
    // Both ways: what is gone, and what is new.
    return [
      ...difference('the evidence', [{ layer: 'final-identity', pins: before }], now),
      ...difference('final-identity', [{ layer: 'the evidence', pins: now }], before),
    ].slice(0, 1);
  },
  (document) => {
    const subjects = new Map(finalPins(document).map((pin) => [pin.subject, pin.fields]));
    const stranger = identityPins(document.identity).find(({ subject }) => !subjects.has(subject));
    return stranger === undefined
      ? []
      : disagreement('identity', `${stranger.subject} was there in the end, and no layer had pinned it`);
  },
];

type Pinned = Pick<EvidenceDocument, 'observations'> & { readonly plan: Parameters<typeof pinsOfLayers>[0] };

/** Which layers pin anything does not depend on what preflight fixed. */
const noPlan: Pinned['plan'] = { source: { commit: '', tree: '' }, kubeconfig: { sha256: '' } };

function pinnedBefore({ plan, observations }: Pinned): readonly LayerPins[] {
  const facts = Object.entries(observations).map(([layer, seen]) => [layer, seen.facts] as const);
  return pinsOfLayers(plan, Object.fromEntries(facts.filter(([layer]) => layer !== 'final-identity')) as LayerFacts);
}

function finalPins({ observations }: Pick<EvidenceDocument, 'observations'>): readonly Pin[] {
  return observations['final-identity'].facts.pins;
}

function difference(where: string, layers: readonly LayerPins[], live: readonly Pin[]) {
  const found = pinDifference(layers, live);
  return found === undefined ? [] : disagreement('identity', `${where} differs from what was pinned: ${found}`);
}
