import { once } from 'node:events';
import type { Logger } from 'pino';
import { cancelChannel, heartbeatTimeoutMs, queueChannel } from '../jobs/job-states.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import type { DiskUse } from '../jobs/queue/full-disk.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { createCoalescingTask } from '../scheduling/coalescing-task.ts';
import { createJobProgress, type JobProgress } from './job-progress.ts';
import type { Readiness } from './readiness.ts';
import { RunLost, type RunSlot, WorkerStopping } from './run-job.ts';

/** Once a second a worker sends a heartbeat for its runs, and looks for jobs that it was not notified of. */
const HEARTBEAT_INTERVAL_MS = 1_000;
/** Intervals between the heartbeats of a worker that runs nothing. */
const IDLE_HEARTBEAT_INTERVALS = 3;

/** Takes up waiting jobs, as many at once as it has slots. */
export interface Worker {
  /**
   * Takes no further job, and settles when none is left: running ones may end until the deadline is aborted (without
   * one: at once), then they are handed back; those whose result is kept at once.
   */
  close(deadline?: AbortSignal): Promise<void>;
}

/** What a worker needs: where jobs come from, and how one is carried out. */
interface WorkerServices {
  /** Who the worker is, from one start to the next. */
  readonly id: string;
  /** Notifies it of waiting and cancelled jobs. */
  readonly channels: Pick<Statuses, 'listen'>;
  readonly queue: Pick<Queue, 'claim' | 'hasWaitingJob' | 'heartbeat' | 'requeueOthers' | 'removeWorker'>;
  readonly slots: number;
  /** Whether jobs can run now. */
  readonly readiness: Pick<Readiness, 'check' | 'usableSlots'>;
  readonly run: (claim: ClaimedJob, progress: JobProgress, signal: AbortSignal, slot: RunSlot) => Promise<void>;
  /** Deletes what a run has left here that no run will resume. */
  readonly discardRun: (run: string) => void;
  readonly log: Logger;
}

interface RunningJob {
  readonly progress: JobProgress;
  /** Whether no other job may run beside it. */
  alone: boolean;
  readonly abort: AbortController;
  readonly settled: Promise<void>;
  /** Whether it takes up a slot: a run whose result waits for the store does not, and others may run beside it. */
  holdsSlot: boolean;
  /** What else has used the worker's disk, or could have, since it began. */
  otherDiskUse: DiskUse;
  /** Whether its result is retained for a later run. */
  isResultRetained: boolean;
  /** When the last confirmed heartbeat was sent, on the clock of `performance`. */
  confirmedAt: number;
}

/** Starts a worker. */
export async function startWorker(services: WorkerServices): Promise<Worker> {
  const { id, channels, queue, slots, readiness, run, discardRun, log } = services;
  const running = new Map<string, RunningJob>();
  let closing: Promise<void> | undefined;
  /** Whether the database may assign jobs to this worker that it does not run. */
  let mayHoldOthers = false;
  /** Whether a claim may find a job: something has happened since the last one that found none. */
  let mayFindJob = true;
  /** The slots that the last heartbeat offered, and how many intervals ago that was. */
  let offeredSlots = 0;
  let intervalsSinceHeartbeat = 0;

  const claiming = createCoalescingTask(fill, (error) => log.error({ err: error }, 'no job could be taken up'));
  const heartbeats = createCoalescingTask(sendHeartbeat, (error) =>
    log.error({ err: error }, 'no sign of life could be given'),
  );

  const usedSlots = () => [...running.values()].filter(({ holdsSlot }) => holdsSlot).length;

  async function fill(): Promise<void> {
    await readiness.check();
    if (mayHoldOthers) {
      await queue.requeueOthers(id, [...running.keys()]);
      mayHoldOthers = false;
    }
    mayFindJob ||= freeSlots() > 0 && (await queue.hasWaitingJob());
    while (mayFindJob && freeSlots() > 0) {
      mayFindJob = false;
      const claimedAt = performance.now();
      // If the call fails, a job may have been claimed all the same.
      mayHoldOthers = true;
      const claim = await queue.claim(id, usedSlots());
      mayHoldOthers = false;
      if (claim === undefined) return;
      mayFindJob = true;
      startRun(claim, claimedAt);
    }
  }

  /** Further jobs that may run now: none while it closes, or while one runs alone. */
  function freeSlots(): number {
    if (closing !== undefined || [...running.values()].some(({ alone }) => alone)) return 0;
    return Math.max(0, readiness.usableSlots(slots) - usedSlots());
  }

  /** The load counts each running job as a slot in use, also one whose result waits, so these are offered as well. */
  function offerableSlots(): number {
    return running.size + freeSlots();
  }

  /** What uses the disk beside a run that begins now. */
  function nextDiskUse(alone: boolean): DiskUse {
    if (!alone && (usedSlots() > 0 || readiness.usableSlots(slots) > 1)) return 'jobs';
    return running.size > 0 ? 'results' : 'nothing';
  }

  function startRun(claim: ClaimedJob, confirmedAt: number): void {
    const progress = createJobProgress(claim.job.brackets, claim.previousRun?.progress);
    const abort = new AbortController();
    if (claim.alone) log.warn({ job: claim.id }, 'nodes that ran this job died: it runs alone');
    if (closing !== undefined) abort.abort(new WorkerStopping());
    const otherDiskUse = nextDiskUse(claim.alone);
    // A result that was stored makes room for others beside one that began by itself.
    for (const other of running.values()) other.otherDiskUse = 'jobs';
    const slot: RunSlot = {
      get otherDiskUse() {
        return running.get(claim.run)?.otherDiskUse ?? 'jobs';
      },
      release() {
        const own = running.get(claim.run);
        if (own !== undefined) {
          own.holdsSlot = false;
          own.alone = false;
        }
        claimNow();
        heartbeats.request();
      },
      resultRetained() {
        const own = running.get(claim.run);
        if (own !== undefined) own.isResultRetained = true;
        if (closing !== undefined) requeueRetained();
      },
    };
    const settled = run(claim, progress, abort.signal, slot)
      .catch((error: unknown) => log.error({ err: error, job: claim.id }, 'a job could not be brought to its end'))
      .then(() => {
        running.delete(claim.run);
        if (abort.signal.aborted) mayHoldOthers = true;
        claimNow();
      });
    const { alone } = claim;
    running.set(claim.run, {
      progress,
      alone,
      otherDiskUse,
      abort,
      settled,
      holdsSlot: true,
      isResultRetained: false,
      confirmedAt,
    });
    // Listeners see at once where the job begins, if that is not where its row says.
    if (progress.publishedPercent > (claim.previousRun?.progress ?? 0)) heartbeats.request();
  }

  /** Claims without looking first: a notification or a free slot says that there may be a job. */
  function claimNow(): void {
    mayFindJob = true;
    claiming.request();
  }

  async function sendHeartbeat(): Promise<void> {
    const sentAt = performance.now();
    const progress = new Map([...running].map(([key, { progress }]) => [key, progress.publishedPercent]));
    const slotCount = offerableSlots();
    const own = await queue.heartbeat(id, slotCount, progress);
    offeredSlots = slotCount;
    intervalsSinceHeartbeat = 0;
    for (const key of progress.keys()) {
      const job = running.get(key);
      if (job === undefined) continue;
      if (own.has(key)) job.confirmedAt = sentAt;
      else job.abort.abort(new RunLost());
    }
  }

  /** A run was cancelled, here or elsewhere. A worker that is not notified finds its run gone at the next heartbeat. */
  function abortCancelled(key: string): void {
    const job = running.get(key);
    if (job === undefined) discardRun(key);
    else job.abort.abort(new RunLost('cancelled'));
  }

  /** Gives up runs that may be another worker's by now. The clock goes on while the process is stopped. */
  function abandonUnconfirmed(): void {
    const oldest = performance.now() - heartbeatTimeoutMs;
    for (const { confirmedAt, abort } of running.values()) if (confirmedAt < oldest) abort.abort(new RunLost());
  }

  await readiness.check();
  await sendHeartbeat();
  const unlisten = [
    await channels.listen(queueChannel, claimNow),
    await channels.listen(cancelChannel, abortCancelled),
  ];
  const timer = setInterval(() => {
    abandonUnconfirmed();
    intervalsSinceHeartbeat += 1;
    if (running.size > 0 || offerableSlots() !== offeredSlots || intervalsSinceHeartbeat >= IDLE_HEARTBEAT_INTERVALS)
      heartbeats.request();
    claiming.request();
  }, HEARTBEAT_INTERVAL_MS);
  claiming.request();

  /** A store that fails would hold up the stop until its deadline, though only uploads are left. */
  function requeueRetained(): void {
    for (const { isResultRetained, abort } of running.values()) if (isResultRetained) abort.abort(new WorkerStopping());
  }

  async function shutDown(deadline: AbortSignal): Promise<void> {
    await claiming.settled();
    requeueRetained();
    const allSettled = Promise.all([...running.values()].map(({ settled }) => settled));
    const late = deadline.aborted ? Promise.resolve() : once(deadline, 'abort');
    await Promise.race([allSettled, late]);
    for (const { abort } of running.values()) abort.abort(new WorkerStopping());
    await allSettled;
    clearInterval(timer);
    await Promise.all([claiming.settled(), heartbeats.settled()]);
    const logFailure = (error: unknown) =>
      log.error({ err: error }, 'the worker could not take its leave; it will be missed');
    await Promise.all([...unlisten.map((stop) => stop()), queue.removeWorker(id)]).catch(logFailure);
  }

  return {
    close(deadline = AbortSignal.abort()) {
      closing ??= shutDown(deadline);
      return closing;
    },
  };
}
