import type { WatchStore } from '../../cluster/watchStore.js';
import { openOnce } from '../../core/openOnce.js';
import { pinReading } from '../flows/pinReading.js';
import type { RunFolder } from '../flows/stateFolder.js';
import type { Observation } from '../model/observation.js';
import { noPins, type PinSet, pinningLayers, pinsOf } from '../model/pins.js';
import type { StepLayer } from '../model/plan.js';
import { judgePins } from '../rules/pins.js';

/** What the layers of one run proved, compared with the cluster at every event from then on. */
export interface PinWatch {
  /** Pins what a layer saw, instead of what it pinned before. Judged at once. */
  pin(observation: Observation): void;
  unpin(layer: StepLayer): void;
  /** Pins, the first time it is called, what the layers of this run saw before this process was there. */
  restore(run: RunFolder, runId: string): Promise<void>;
  isEmpty(): boolean;
  /** Begins to judge what this store sees. Events that come together are judged one after another: nothing is skipped. */
  attach(store: WatchStore): void;
  end(): void;
}

/** `onChange` is called once, with the code and the words of the first change. */
export function createPinWatch(onChange: (code: string, detail: string) => void): PinWatch {
  const byLayer = new Map<StepLayer, PinSet>();
  let store: WatchStore | undefined;
  let forget = () => {};
  let ended = false;

  const pins = (): PinSet => {
    const sets = [...byLayer.values()];
    return { objects: sets.flatMap((set) => set.objects), pods: sets.flatMap((set) => set.pods) };
  };
  const judge = () => {
    if (ended || store === undefined || byLayer.size === 0) return;
    const verdict = judgePins(pinReading(store.view()), pins());
    if (verdict.kind !== 'failed') return;
    end();
    onChange(verdict.code, verdict.detail);
  };
  const end = () => {
    ended = true;
    forget();
    byLayer.clear();
  };
  const set = ({ layer, facts }: Observation) => {
    const own = pinsOf(layer, facts);
    if (own === noPins) byLayer.delete(layer);
    else byLayer.set(layer, own);
  };
  const restored = openOnce(async (run: RunFolder, runId: string) => {
    for (const layer of pinningLayers) {
      const seen = await run.readObservation(layer);
      if (seen?.runId === runId) set(seen);
    }
  });
  return {
    pin(observation) {
      set(observation);
      judge();
    },
    unpin: (layer) => void byLayer.delete(layer),
    restore: restored.get,
    isEmpty: () => byLayer.size === 0,
    attach(next) {
      if (store === next) return;
      store = next;
      forget();
      forget = next.onEvent(judge);
      judge();
    },
    end,
  };
}
