import { type Caller, isVisitor } from '../../contract/caller.ts';
import { MillraceError } from '../../contract/errors.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** Maximum wait in milliseconds: less than the timeouts of requests to sites, for which the site would be blamed. */
const MAX_WAIT_MS = 5_000;

/** Maximum numbers of requests to one origin that run at the same time. */
export interface SlotLimits {
  readonly total: number;
  /** Those of one caller. Default: all. */
  readonly perCaller?: number;
  /** Those of all visitors of the page together. Default: all. */
  readonly visitors?: number;
}

/**
 * Limits the requests to each origin that run at the same time, and so the connections to it. A caller gets another slot
 * only while more slots are free than it has, like a queue in the buffer of a switch with dynamic thresholds
 * (Choudhury and Hahne, IEEE/ACM Transactions on Networking, April 1998). One caller alone can have half of them, and the
 * next caller half of the rest. The same applies to a visitor and the slots of visitors.
 */
export interface ConnectionSlots {
  /**
   * Waits until a request of a caller may be sent, for 5 s at most. Callers take turns. The returned function must be
   * called when the request has ended.
   *
   * @throws MillraceError `service_unavailable` if no connection became free; the signal's reason.
   */
  acquire(url: URL, caller: Caller, signal: AbortSignal): Promise<() => void>;
}

/** A request that waits. */
interface Waiting {
  readonly caller: Caller;
  readonly turn: PromiseWithResolvers<() => void>;
}

/** The requests to an origin. */
interface OriginSlots {
  running: number;
  /** Running requests of visitors. */
  visitors: number;
  readonly runningByCaller: Map<string, number>;
  readonly waiting: FairQueue<Waiting>;
}

/** Creates slots that are all free. */
export function createConnectionSlots({ total, perCaller = total, visitors = total }: SlotLimits): ConnectionSlots {
  const origins = new Map<string, OriginSlots>();

  function slotsOf(origin: string): OriginSlots {
    const slots = origins.get(origin) ?? {
      running: 0,
      visitors: 0,
      runningByCaller: new Map<string, number>(),
      waiting: createFairQueue<Waiting>(),
    };
    origins.set(origin, slots);
    return slots;
  }

  function isFree(slots: OriginSlots, caller: Caller): boolean {
    const own = slots.runningByCaller.get(caller.key) ?? 0;
    const free = total - slots.running;
    return own < Math.min(perCaller, isVisitor(caller) ? Math.min(free, visitors - slots.visitors) : free);
  }

  function count(slots: OriginSlots, caller: Caller, change: 1 | -1): void {
    slots.running += change;
    if (isVisitor(caller)) slots.visitors += change;
    const own = (slots.runningByCaller.get(caller.key) ?? 0) + change;
    if (own === 0) slots.runningByCaller.delete(caller.key);
    else slots.runningByCaller.set(caller.key, own);
  }

  function take(origin: string, slots: OriginSlots, caller: Caller): () => void {
    count(slots, caller, 1);
    return () => {
      count(slots, caller, -1);
      const next = slots.waiting.next((each) => isFree(slots, each));
      next?.turn.resolve(take(origin, slots, next.caller));
      forgetIdle(origin, slots);
    };
  }

  function forgetIdle(origin: string, { running, waiting }: OriginSlots): void {
    if (running === 0 && waiting.size === 0) origins.delete(origin);
  }

  return {
    async acquire({ origin, host }, caller, signal) {
      const slots = slotsOf(origin);
      if (isFree(slots, caller)) return take(origin, slots, caller);
      const waiting: Waiting = { caller, turn: Promise.withResolvers() };
      slots.waiting.add(caller, waiting);
      const timer = setTimeout(() => waiting.turn.reject(noneFree(host)), MAX_WAIT_MS);
      try {
        return await untilAborted(waiting.turn.promise, signal);
      } catch (error) {
        slots.waiting.remove(caller, waiting);
        // Gives back a slot that became free at the same moment.
        waiting.turn.promise.then((release) => release()).catch(() => undefined);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function noneFree(host: string): MillraceError {
  return new MillraceError('service_unavailable', `All connections to ${host} are in use. Try again in a moment.`);
}
