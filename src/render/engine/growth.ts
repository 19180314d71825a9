import type { Writable } from 'node:stream';

/** How much of a file has arrived. */
export interface Arrived {
  /** Bytes that are there, from its beginning and without a gap. */
  readonly bytes: number;
  /** Whether that is all. */
  readonly whole: boolean;
}

/** What the service tells a child of an input that is still arriving: a line of JSON behind the task. */
export interface GrowthMessage extends Arrived {
  /** Its place among the task's inputs, from 0. */
  readonly input: number;
}

/** How the inputs of a task grow, which are still arriving when it begins. */
export class Growth {
  readonly #inputs: Arrived[];
  readonly #listeners = new Set<() => void>();

  /** Begins with what is there of each input. */
  constructor(inputs: readonly Arrived[]) {
    this.#inputs = [...inputs];
  }

  /** What is there of each input now. */
  get inputs(): readonly Arrived[] {
    return this.#inputs;
  }

  /** Whether all inputs are there. */
  get whole(): boolean {
    return this.#inputs.every(({ whole }) => whole);
  }

  /** An input has grown. */
  report(input: number, arrived: Arrived): void {
    this.#inputs[input] = arrived;
    for (const hear of this.#listeners) hear();
  }

  /** Calls `hear` now and whenever an input has grown, until the function that it returns is called. */
  follow(hear: () => void): () => void {
    this.#listeners.add(hear);
    hear();
    return () => this.#listeners.delete(hear);
  }
}

/**
 * Tells a child how its inputs grow, until the function that it returns is called. What the child is slow to hear is
 * left out in favour of what is true by then, so that nothing piles up.
 *
 * @param admitted Whether the child can already read an input. Until then, its growth is not reported.
 */
export function tellGrowth(growth: Growth, child: Writable, admitted: (input: number) => boolean): () => void {
  const told: Arrived[] = [];
  const tell = () => {
    growth.inputs.forEach((arrived, input) => {
      if (arrived === told[input] || child.writableNeedDrain || !admitted(input)) return;
      told[input] = arrived;
      const message: GrowthMessage = { input, ...arrived };
      child.write(`${JSON.stringify(message)}\n`);
    });
  };
  child.on('drain', tell);
  const unfollow = growth.follow(tell);
  return () => {
    child.off('drain', tell);
    unfollow();
  };
}
