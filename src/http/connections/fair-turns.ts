import { isTurnOver, startSlice } from '../../waiting/steps.ts';

/**
 * Who takes turns: the networks of a client, smallest first ({@link ClientNetworks}), or one value of any kind that
 * identifies it.
 */
export type TurnTaker = readonly unknown[];

/**
 * Shares the time of the event loop among the clients whose bytes have arrived. Their widest networks take turns; in each
 * turn of a network, one of the networks or clients within it has its turn.
 */
export interface FairTurns {
  /** Whether work on the next bytes of a connection has to {@link wait}. Call it before each piece of work. */
  mustWait(): boolean;
  /**
   * Carries out work in a later turn of the event loop. The clients take turns, each with one piece of its work, so that
   * one with many connections or addresses does not delay the others. What a piece of work does in promises that it
   * resolves counts as well.
   *
   * @param work A few milliseconds of work.
   */
  wait(client: TurnTaker, work: () => void): void;
  /** Resolves in the next turn of a client, for a few milliseconds of work. */
  next(client: TurnTaker): Promise<void>;
}

/** What waits for a client, or for the networks and clients within a network, in the order of their turns. */
interface Line {
  readonly work: (() => void)[];
  readonly within: Lines;
}

type Lines = Map<unknown, Line>;

/** Pieces of work in one turn of the event loop, if their time allows it. */
const MAX_PIECES = 64;

/** Creates the turns of one server. */
export function createFairTurns(): FairTurns {
  const lines: Lines = new Map();
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
      if (isFirst || !isSliceOver()) {
        const work = takeNext(lines);
        if (work !== undefined) waiting -= 1;
        work?.();
      }
    } finally {
      plan();
    }
  }

  function wait(client: TurnTaker, work: () => void): void {
    let line: Line | undefined;
    for (const network of client.toReversed()) {
      const siblings: Lines = line?.within ?? lines;
      line = siblings.get(network) ?? { work: [], within: new Map() };
      siblings.set(network, line);
    }
    line?.work.push(work);
    waiting += 1;
    plan();
  }

  return {
    mustWait: () => waiting > 0 || (isSliceOver ?? isTurnOver)(),
    wait,
    next: (client) => new Promise((resolve) => wait(client, resolve)),
  };
}

/** Removes the next piece of work from lines. Returns undefined if nothing waits. */
function takeNext(lines: Lines): (() => void) | undefined {
  const [next] = lines;
  if (next === undefined) return undefined;
  const [client, line] = next;
  const work = line.work.shift() ?? takeNext(line.within);
  lines.delete(client);
  // The client's other work waits until all others here have had a turn.
  if (line.work.length > 0 || line.within.size > 0) lines.set(client, line);
  return work;
}
