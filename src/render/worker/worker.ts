import { once } from 'node:events';
import type { Logger } from 'pino';
import { createCoalescingTask } from '../../waiting/coalescing-task.ts';
import { jobBindings } from '../jobs/job-bindings.ts';
import { cancelChannel, heartbeatTimeoutMs, queueChannel } from '../jobs/job-states.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import type { DiskUse } from '../jobs/queue/full-disk.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import type { Statuses } from '../jobs/status-row.ts';
import { createJobProgress, type JobProgress } from './job-progress.ts';
import type { Readiness } from './readiness.ts';
import { RunLost, type RunSlot, WorkerStopping } from './run-job.ts';

/** Interval at which a worker sends a heartbeat for its runs, and looks for jobs that it was not notified of. */
const HEARTBEAT_INTERVAL_MS = 1_000;
/** Intervals between the heartbeats of a worker that runs nothing. */
const IDLE_HEARTBEAT_INTERVALS = 3;

/** Claims waiting jobs, as many concurrently as it has slots. */
export interface Worker {
  /**
   * Claims no further job, and settles when none is left. Running jobs may end until the deadline is aborted, and then
   * return to the queue. Without a deadline, they return immediately, and so do jobs whose result is retained.
   */
  close(deadline?: AbortSignal): Promise<void>;
}

/** Dependencies of a worker: the source of jobs, and the function that runs one. */
interface WorkerServices {
  /** Identifies the worker across restarts. */
  readonly id: string;
  /** Notifies the worker of waiting and cancelled jobs. */
  readonly channels: Pick<Statuses, 'listen'>;
  readonly queue: Pick<Queue, 'claim' | 'hasWaitingJob' | 'heartbeat' | 'requeueOthers' | 'removeWorker'>;
  readonly slots: number;
  /** Whether jobs can run now. */
  readonly readiness: Pick<Readiness, 'check' | 'usableSlots'>;
  readonly run: (claim: ClaimedJob, progress: JobProgress, signal: AbortSignal, slot: RunSlot) => Promise<void>;
  /** Deletes files that a run has left here and that no run will resume. */
  readonly discardRun: (run: string) => void;
  readonly log: Logger;
}

interface RunningJob {
  readonly progress: JobProgress;
  /** Whether a visitor of the page started it. */
  readonly visitor: boolean;
  /** Whether no other job may run beside it. */
  alone: boolean;
  readonly abort: AbortController;
  readonly settled: Promise<void>;
  /** Whether it occupies a slot. A run whose result waits for the store does not, and others may run beside it. */
  holdsSlot: boolean;
  /** Other use of the worker's disk, actual or possible, since it started. */
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
  /** Whether jobs that this worker does not run may be assigned to it in the database. */
  let mayHoldOthers = false;
  /** Whether a claim may find a job: something has happened since the last unsuccessful claim. */
  let mayFindJob = true;
  /** Slots that the last heartbeat offered, and how many intervals ago that was. */
  let offeredSlots = 0;
  let intervalsSinceHeartbeat = 0;

  const claiming = createCoalescingTask(fill, (error) => log.error({ err: error }, 'no job could be claimed'));
  const heartbeats = createCoalescingTask(sendHeartbeat, (error) =>
    log.error({ err: error }, 'no heartbeat could be sent'),
  );

  const slotHolders = () => [...running.values()].filter(({ holdsSlot }) => holdsSlot);
  const usedSlots = () => slotHolders().length;

  /** Whether the job of a visitor may run now. One slot is kept for the jobs of keys, if there is more than one. */
  function hasVisitorSlot(): boolean {
    const maxVisitors = Math.max(1, readiness.usableSlots(slots) - 1);
    return slotHolders().filter(({ visitor }) => visitor).length < maxVisitors;
  }

  async function fill(): Promise<void> {
    await readiness.check();
    if (mayHoldOthers) {
      await queue.requeueOthers(id, [...running.keys()]);
      mayHoldOthers = false;
    }
    mayFindJob ||= freeSlots() > 0 && (await queue.hasWaitingJob(hasVisitorSlot()));
    while (mayFindJob && freeSlots() > 0) {
      mayFindJob = false;
      const claimedAt = performance.now();
      // If the call fails, a job may have been claimed nevertheless.
      mayHoldOthers = true;
      const claim = await queue.claim(id, { running: usedSlots(), withVisitors: hasVisitorSlot() });
      mayHoldOthers = false;
      if (claim === undefined) return;
      mayFindJob = true;
      startRun(claim, claimedAt);
    }
  }

  /** Returns how many further jobs may run now: none while it closes, or while one runs alone. */
  function freeSlots(): number {
    if (closing !== undefined || [...running.values()].some(({ alone }) => alone)) return 0;
    return Math.max(0, readiness.usableSlots(slots) - usedSlots());
  }

  /**
   * Returns the slots to offer. The load counts each running job as a used slot, even one whose result waits, so these
   * are offered as well.
   */
  function offerableSlots(): number {
    return running.size + freeSlots();
  }

  /** Returns the disk use beside a run that starts now. */
  function nextDiskUse(alone: boolean): DiskUse {
    if (!alone && (usedSlots() > 0 || readiness.usableSlots(slots) > 1)) return 'jobs';
    return running.size > 0 ? 'results' : 'nothing';
  }

  function startRun(claim: ClaimedJob, confirmedAt: number): void {
    const progress = createJobProgress(claim.job.brackets, claim.previousRun?.progress);
    const abort = new AbortController();
    if (claim.alone) log.warn(jobBindings(claim), 'nodes that ran this job have died, so it runs alone');
    if (closing !== undefined) abort.abort(new WorkerStopping());
    const otherDiskUse = nextDiskUse(claim.alone);
    // A stored result frees a slot for other jobs beside a run that started alone.
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
      .catch((error: unknown) =>
        log.error({ err: error, ...jobBindings(claim) }, 'the outcome of a job could not be recorded'),
      )
      .then(() => {
        running.delete(claim.run);
        if (abort.signal.aborted) mayHoldOthers = true;
        claimNow();
      });
    const { visitor, alone } = claim;
    running.set(claim.run, {
      progress,
      visitor,
      alone,
      otherDiskUse,
      abort,
      settled,
      holdsSlot: true,
      isResultRetained: false,
      confirmedAt,
    });
    // Shows listeners the start progress of the job immediately, if it differs from the progress in its row.
    if (progress.publishedPercent > (claim.previousRun?.progress ?? 0)) heartbeats.request();
  }

  /** Claims without checking first: a notification or a free slot indicates that there may be a job. */
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

  /**
   * Aborts a run that was cancelled here or on another node. A worker that is not notified finds its run gone at the
   * next heartbeat.
   */
  function abortCancelled(key: string): void {
    const job = running.get(key);
    if (job === undefined) discardRun(key);
    else job.abort.abort(new RunLost('cancelled'));
  }

  /** Gives up runs that may belong to another worker by now. The clock continues while the process is suspended. */
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

  /**
   * Requeues runs with a retained result. A failing store would otherwise delay the stop until its deadline, although
   * only uploads are left.
   */
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
      log.error({ err: error }, 'the worker could not sign off; it will be treated as lost');
    await Promise.all([...unlisten.map((stop) => stop()), queue.removeWorker(id)]).catch(logFailure);
  }

  return {
    close(deadline = AbortSignal.abort()) {
      closing ??= shutDown(deadline);
      return closing;
    },
  };
}
