/** Work that is asked for again and again, and never under way twice. */
export interface OneAtATime {
  /** Has the work done, or done once more when it is under way, since it may have begun too early. */
  ask(): void;
  /** Settles when nothing that was asked for is left to do. */
  settled(): Promise<void>;
}

/** `failed` hears what the work throws; what was asked for meanwhile is still done. */
export function oneAtATime(work: () => Promise<void>, failed: (error: unknown) => void): OneAtATime {
  let asked = false;
  let underWay: Promise<void> | undefined;

  async function go(): Promise<void> {
    while (asked) {
      asked = false;
      await work().catch(failed);
    }
    underWay = undefined;
  }

  return {
    ask() {
      asked = true;
      underWay ??= go();
    },
    settled: async () => underWay,
  };
}
