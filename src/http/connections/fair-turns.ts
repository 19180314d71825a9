import { isTurnOver, startSlice } from '../../waiting/steps.ts';

/** Shares the time of the event loop among the clients whose bytes have arrived. */
export interface FairTurns {
  /** Whether work on the next bytes of a connection has to {@link wait}. Call it before each piece of work. */
  mustWait(): boolean;
  /**
   * Carries out work in a later turn of the event loop. The clients take turns, each with one piece of its work, so that
   * one with many connections does not delay the others. What a piece of work does in promises that it resolves counts
   * as well.
   *
   * @param client Any value that identifies the client.
   * @param work A few milliseconds of work.
   */
  wait(client: unknown, work: () => void): void;
  /** Resolves in the next turn of a client, for a few milliseconds of work. */
  next(client: unknown): Promise<void>;
}

/** Pieces of work in one turn of the event loop, if their time allows it. */
const MAX_PIECES = 64;

/** Creates the turns of one server. */
export function createFairTurns(): FairTurns {
  /** What waits for each client, in the order in which the clients take their turns. */
  const lines = new Map<unknown, (() => void)[]>();
  /** Number of pieces that wait. */
  let waiting = 0;
  /** Number of calls of `takeTurn` that are left in the next turn of the event loop. */
  let planned = 0;
  /** Whether the current turn of the event loop has lasted long enough, while `takeTurn` is called. */
  let isSliceOver: (() => boolean) | undefined;

  /**
   * Plans the pieces of the next turn: a call for each. What the promises of one do then precedes the next, so that its
   * time counts.
   */
  function plan(): void {
    if (planned > 0) return;
    isSliceOver = undefined;
    planned = Math.min(waiting, MAX_PIECES);
    for (let call = 0; call < planned; call += 1) setImmediate(takeTurn);
  }

  function takeTurn(): void {
    planned -= 1;
    const isFirst = isSliceOver === undefined;
    isSliceOver ??= startSlice();
    try {
      if (isFirst || !isSliceOver()) takeNext();
    } finally {
      plan();
    }
  }

  function takeNext(): void {
    const [next] = lines;
    if (next === undefined) return;
    const [client, line] = next;
    const work = line.shift();
    waiting -= 1;
    lines.delete(client);
    // The client's other work waits until all other clients have had a turn.
    if (line.length > 0) lines.set(client, line);
    work?.();
  }

  function wait(client: unknown, work: () => void): void {
    const line = lines.get(client);
    if (line === undefined) lines.set(client, [work]);
    else line.push(work);
    waiting += 1;
    plan();
  }

  return {
    mustWait: () => waiting > 0 || (isSliceOver ?? isTurnOver)(),
    wait,
    next: (client) => new Promise((resolve) => wait(client, resolve)),
  };
}
