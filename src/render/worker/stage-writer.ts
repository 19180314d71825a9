import { sleep } from '../../waiting/sleep.ts';

/** Stages that a running job enters. */
export type EnteredStage = 'processing' | 'uploading_output';

/**
 * Milliseconds before a stage is written to the database. Shorter stages are never written: callers get a status event
 * once a second.
 */
const SHORT_STAGE_MS = 250;

/** Writes the current stage of a run to the database, unless the next one follows immediately. */
interface StageWriter {
  /**
   * Enters a stage.
   *
   * @returns Whether the run is still valid, as far as is known.
   * @throws The error of an earlier stage's write.
   */
  enter(stage: EnteredStage): Promise<boolean>;
  /** Prevents further writes. Call it before the run ends. */
  close(): Promise<void>;
}

/**
 * Creates the writer of a run. Its writes are sequential.
 *
 * @param write Writes a stage; returns whether the run is still valid.
 */
export function createStageWriter(
  write: (stage: EnteredStage) => Promise<boolean>,
  signal: AbortSignal,
  delay = SHORT_STAGE_MS,
): StageWriter {
  let last: { readonly next: AbortController; readonly writing: Promise<void> } | undefined;
  let valid = true;
  let failure: { readonly error: unknown } | undefined;

  /** Writes a stage after a delay. Never rejects. */
  async function writeLater(stage: EnteredStage, next: AbortSignal): Promise<void> {
    const isDue = await sleep(delay, AbortSignal.any([signal, next])).then(
      () => true,
      () => false,
    );
    if (!isDue) return;
    try {
      valid = await write(stage);
    } catch (error) {
      failure = { error };
    }
  }

  async function close(): Promise<void> {
    last?.next.abort();
    await last?.writing;
  }

  return {
    async enter(stage) {
      await close();
      if (failure !== undefined) throw failure.error;
      const next = new AbortController();
      last = { next, writing: writeLater(stage, next.signal) };
      return valid;
    },
    close,
  };
}
