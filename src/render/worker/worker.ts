import { once } from 'node:events';
import type { Logger } from 'pino';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import type { DiskUse } from '../jobs/queue/full-disk.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import { cancelChannel, heartbeatTimeoutMs, queueChannel } from '../jobs/job-states.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { createCoalescingTask } from '../scheduling/coalescing-task.ts';
import { createJobProgress, type JobProgress } from './job-progress.ts';
import type { Readiness } from './readiness.ts';
import { RunLost, type RunPlace, WorkerStopping } from './run-job.ts';

/** Once a second a worker sends a heartbeat for its runs, and looks for jobs that it was not notified of. */
const BEAT_INTERVAL_MS = 1_000;
/** Intervals between the heartbeats of a worker that runs nothing. */
const IDLE_BEAT_INTERVALS = 3;

/** Takes up waiting jobs, as many at once as it has slots. */
export interface Worker {
  /**
   * Takes no further job, and settles when none is left: running ones may end until the deadline is aborted (without
   * one: at once), then they are handed back; those whose result is kept at once.
   */
  close(deadline?: AbortSignal): Promise<void>;
}

/** What a worker needs: where jobs come from, and how one is carried out. */
export interface WorkerServices {
  /** Who the worker is, from one start to the next. */
  readonly id: string;
  /** Notifies it of waiting and cancelled jobs. */
  readonly channels: Pick<Statuses, 'listen'>;
  readonly queue: Pick<Queue, 'claim' | 'hasWaitingJob' | 'heartbeat' | 'requeueOthers' | 'removeWorker'>;
  readonly slots: number;
  /** Whether jobs can run now. */
  readonly readiness: Pick<Readiness, 'look' | 'room'>;
  readonly run: (claimed: ClaimedJob, progress: JobProgress, signal: AbortSignal, place: RunPlace) => Promise<void>;
  /** Deletes what a run has left here that no run will resume. */
  readonly forget: (run: string) => void;
  readonly log: Logger;
}

interface Running {
  readonly progress: JobProgress;
  /** Whether no other job may run beside it. */
  alone: boolean;
  readonly abort: AbortController;
  readonly settled: Promise<void>;
  /** Whether it takes up a slot: a run whose result waits for the store does not, and others may run beside it. */
  slot: boolean;
  /** What else has used the worker's disk, or could have, since it began. */
  besides: DiskUse;
  /** Whether its result is retained for a later run. */
  retained: boolean;
  /** When the last confirmed heartbeat was sent, on the clock of `performance`. */
  confirmed: number;
}

/** Starts a worker. */
export async function startWorker(services: WorkerServices): Promise<Worker> {
  const { id, channels, queue, slots, readiness, run, forget, log } = services;
  const running = new Map<string, Running>();
  let closing: Promise<void> | undefined;
  /** Whether the database may assign jobs to this worker that it does not run. */
  let mayHoldOthers = false;
  /** Whether a claim may find a job: something has happened since the last one that found none. */
  let claimable = true;
  /** The slots that the last heartbeat offered, and how many intervals ago that was. */
  let offered = 0;
  let silentFor = 0;

  const claiming = createCoalescingTask(fill, (error) => log.error({ err: error }, 'no job could be taken up'));
  const beating = createCoalescingTask(beat, (error) => log.error({ err: error }, 'no sign of life could be given'));

  const slotsTaken = () => [...running.values()].filter(({ slot }) => slot).length;

  async function fill(): Promise<void> {
    await readiness.look();
    if (mayHoldOthers) {
      await queue.requeueOthers(id, [...running.keys()]);
      mayHoldOthers = false;
    }
    claimable ||= free() > 0 && (await queue.hasWaitingJob());
    while (claimable && free() > 0) {
      claimable = false;
      const claimedAt = performance.now();
      // If the call fails, a job may have been claimed all the same.
      mayHoldOthers = true;
      const claimed = await queue.claim(id, slotsTaken());
      mayHoldOthers = false;
      if (claimed === undefined) return;
      claimable = true;
      begin(claimed, claimedAt);
    }
  }

  /** Further jobs that may run now: none while it closes, or while one runs alone. */
  function free(): number {
    if (closing !== undefined || [...running.values()].some(({ alone }) => alone)) return 0;
    return Math.max(0, readiness.room(slots) - slotsTaken());
  }

  /** The load counts each running job as a slot in use, also one whose result waits, so these are offered as well. */
  function slotsOffered(): number {
    return running.size + free();
  }

  /** What uses the disk beside a run that begins now. */
  function besidesNext(alone: boolean): DiskUse {
    if (!alone && (slotsTaken() > 0 || readiness.room(slots) > 1)) return 'jobs';
    return running.size > 0 ? 'results' : 'nothing';
  }

  function begin(claimed: ClaimedJob, confirmed: number): void {
    const progress = createJobProgress(claimed.job.brackets, claimed.previousRun?.progress);
    const abort = new AbortController();
    if (claimed.alone) log.warn({ job: claimed.id }, 'nodes that ran this job died: it runs alone');
    if (closing !== undefined) abort.abort(new WorkerStopping());
    const besides = besidesNext(claimed.alone);
    // A result that was stored makes room for others beside one that began by itself.
    for (const other of running.values()) other.besides = 'jobs';
    const place: RunPlace = {
      get besides() {
        return running.get(claimed.run)?.besides ?? 'jobs';
      },
      leaveSlot() {
        const own = running.get(claimed.run);
        if (own !== undefined) {
          own.slot = false;
          own.alone = false;
        }
        claimNow();
        beating.request();
      },
      resultRetained() {
        const own = running.get(claimed.run);
        if (own !== undefined) own.retained = true;
        if (closing !== undefined) handBackRetained();
      },
    };
    const settled = run(claimed, progress, abort.signal, place)
      .catch((error: unknown) => log.error({ err: error, job: claimed.id }, 'a job could not be brought to its end'))
      .then(() => {
        running.delete(claimed.run);
        if (abort.signal.aborted) mayHoldOthers = true;
        claimNow();
      });
    const { alone } = claimed;
    running.set(claimed.run, { progress, alone, besides, abort, settled, slot: true, retained: false, confirmed });
    // Listeners see at once where the job begins, if that is not where its row says.
    if (progress.published > (claimed.previousRun?.progress ?? 0)) beating.request();
  }

  /** Claims without looking first: a notification or a free slot says that there may be a job. */
  function claimNow(): void {
    claimable = true;
    claiming.request();
  }

  async function beat(): Promise<void> {
    const sentAt = performance.now();
    const progress = new Map([...running].map(([key, { progress }]) => [key, progress.published]));
    const offers = slotsOffered();
    const own = await queue.heartbeat(id, offers, progress);
    offered = offers;
    silentFor = 0;
    for (const key of progress.keys()) {
      const job = running.get(key);
      if (job === undefined) continue;
      if (own.has(key)) job.confirmed = sentAt;
      else job.abort.abort(new RunLost());
    }
  }

  /** A run was cancelled, here or elsewhere. A worker that is not notified finds its run gone at the next heartbeat. */
  function endCancelled(key: string): void {
    const job = running.get(key);
    if (job === undefined) forget(key);
    else job.abort.abort(new RunLost('cancelled'));
  }

  /** Gives up runs that may be another worker's by now. The clock goes on while the process is stopped. */
  function giveUpUnconfirmed(): void {
    const oldest = performance.now() - heartbeatTimeoutMs;
    for (const { confirmed, abort } of running.values()) if (confirmed < oldest) abort.abort(new RunLost());
  }

  await readiness.look();
  await beat();
  const unlisten = [await channels.listen(queueChannel, claimNow), await channels.listen(cancelChannel, endCancelled)];
  const timer = setInterval(() => {
    giveUpUnconfirmed();
    silentFor += 1;
    if (running.size > 0 || slotsOffered() !== offered || silentFor >= IDLE_BEAT_INTERVALS) beating.request();
    claiming.request();
  }, BEAT_INTERVAL_MS);
  claiming.request();

  /** A store that fails would hold up the stop until its deadline, though only uploads are left. */
  function handBackRetained(): void {
    for (const { retained, abort } of running.values()) if (retained) abort.abort(new WorkerStopping());
  }

  async function finish(deadline: AbortSignal): Promise<void> {
    await claiming.settled();
    handBackRetained();
    const ended = Promise.all([...running.values()].map(({ settled }) => settled));
    const late = deadline.aborted ? Promise.resolve() : once(deadline, 'abort');
    await Promise.race([ended, late]);
    for (const { abort } of running.values()) abort.abort(new WorkerStopping());
    await ended;
    clearInterval(timer);
    await Promise.all([claiming.settled(), beating.settled()]);
    const logFailure = (error: unknown) =>
      log.error({ err: error }, 'the worker could not take its leave; it will be missed');
    await Promise.all([...unlisten.map((stop) => stop()), queue.removeWorker(id)]).catch(logFailure);
  }

  return {
    close(deadline = AbortSignal.abort()) {
      closing ??= finish(deadline);
      return closing;
    },
  };
}
