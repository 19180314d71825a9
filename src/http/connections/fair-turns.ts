import { isTurnOver, startSlice } from '../../waiting/steps.ts';

/** Shares the time of the event loop among the clients whose bytes have arrived. */
export interface FairTurns {
  /** Whether work on the next bytes of a connection has to {@link wait}. Call it before each piece of work. */
  mustWait(): boolean;
  /**
   * Carries out work in a later turn of the event loop. The clients take turns, each with one piece of its work, so that
   * one with many connections does not delay the others.
   *
   * @param client Any value that identifies the client.
   * @param work A few milliseconds of work.
   */
  wait(client: unknown, work: () => void): void;
}

/** Creates the turns of one server. */
export function createFairTurns(): FairTurns {
  /** What waits for each client, in the order in which the clients take their turns. */
  const lines = new Map<unknown, (() => void)[]>();
  let isScheduled = false;
  let isOver = isTurnOver;

  function schedule(): void {
    if (isScheduled || lines.size === 0) return;
    isScheduled = true;
    setImmediate(takeTurns);
  }

  function takeTurns(): void {
    isOver = startSlice();
    try {
      do takeNext();
      while (lines.size > 0 && !isOver());
    } finally {
      isOver = isTurnOver;
      isScheduled = false;
      schedule();
    }
  }

  function takeNext(): void {
    const [next] = lines;
    if (next === undefined) return;
    const [client, line] = next;
    const work = line.shift();
    lines.delete(client);
    // The client's other work waits until all other clients have had a turn.
    if (line.length > 0) lines.set(client, line);
    work?.();
  }

  return {
    mustWait: () => lines.size > 0 || isOver(),
    wait(client, work) {
      const line = lines.get(client);
      if (line === undefined) lines.set(client, [work]);
      else line.push(work);
      schedule();
    },
  };
}
