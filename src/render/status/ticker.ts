/** Work that comes round again and again, in parts. */
export interface Rounds {
  /** Begins no further part. */
  stop(): void;
}

/**
 * Does the parts of a work one after the other, spread evenly over a round, round after round. The parts keep to a
 * timetable, so that they do not drift; one that is late is done at once, and rounds that would begin before the one
 * ahead of them is over are left out.
 *
 * @param milliseconds How long a round takes.
 * @param work Does a part, 0 to `parts` - 1. Never rejects.
 */
export function startRounds(milliseconds: number, parts: number, work: (part: number) => Promise<void>): Rounds {
  const begun = performance.now();
  const step = milliseconds / parts;
  let count = 0;
  let stopped = false;
  let timer = setTimeout(run, step);

  async function run(): Promise<void> {
    await work(count % parts);
    count += 1;
    const late = Math.max(0, performance.now() - due());
    count += parts * Math.floor(late / milliseconds);
    if (!stopped) timer = setTimeout(run, Math.max(0, due() - performance.now()));
  }

  /** When the next part is to be done: a step after the one before it. */
  function due(): number {
    return begun + step * (count + 1);
  }

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
