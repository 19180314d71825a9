import { callerOf, ownerOf } from '../../accounts/owner.ts';
import { type Caller, isVisitor } from '../../contract/caller.ts';
import { MillraceError, toMillraceError } from '../../contract/errors.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import { sizeText } from '../../contract/job-status.ts';
import type { ReportMediaFetch } from '../../contract/media-fetch.ts';
import type { PreviewProblem, RenderPreview } from '../../contract/render-preview.ts';
import type { CheckUrl } from '../../egress/create-egress.ts';
import type { Exit, Exits } from '../../egress/exits.ts';
import { sleep } from '../../waiting/sleep.ts';
import { playsOverTime } from '../download/excerpt/download-excerpt.ts';
import { createSizeGuards } from '../download/size-guard.ts';
import type { StartConditions, StartOptions } from '../jobs/jobs.ts';
import { findCodecProblems, type StartProblem } from './codec-problems.ts';
import { observeProbe } from './observe-probe.ts';
import { predictStart } from './predict-start.ts';
import { type ProbedInput, probeInput, unknownInput } from './probe-input.ts';
import { type StreamActions, streamActionsOf } from './stream-actions.ts';

/** Maximum number of concurrent previews of a node, an account, and a visitor. Each may hold a few playlists in memory. */
const MAX_PREVIEWS = { node: 16, account: 8, visitor: 2 };
/** Maximum number of inputs of a preview that are probed concurrently. */
const MAX_CONCURRENT_PROBES = 4;
/** Time limit of a whole preview in milliseconds. */
const PREVIEW_TIMEOUT_MS = 25_000;

/** Dependencies of previewing a job. */
export interface PreviewServices {
  readonly startConditions: StartConditions;
  readonly exits: Pick<Exits, 'forJobs' | 'byId'>;
  /** Checks the address of a store. Deliveries of test jobs leave the lab, so it is always that of the live exits. */
  readonly checkStoreUrl: CheckUrl;
  /** Maximum number of waiting jobs. */
  readonly maxQueued: number;
  /** Receives the outcome of each probe of media from a platform. */
  readonly reportMediaFetch?: ReportMediaFetch;
  /** Whether jobs replace links of platforms that no longer work. */
  readonly healsLinks?: boolean;
}

/**
 * Describes the effect of a start (`plan=only`) without starting anything: inputs are probed, not fetched.
 *
 * @throws MillraceError `forbidden` like a start; `rate_limited` if the node, the account or the visitor
 * has many previews in progress.
 */
export type PreviewJob = (
  job: Job,
  owner: string,
  options: Pick<StartOptions, 'maxUnfinished' | 'stored' | 'visitor'>,
  signal: AbortSignal,
) => Promise<RenderPreview>;

/** Creates the function that previews jobs. */
export function createPreviewer(services: PreviewServices): PreviewJob {
  const { startConditions, maxQueued } = services;
  const activePreviews = new Set<Caller>();
  return async (job, owner, options, signal) => {
    const caller = callerOf(ownerOf({ id: owner, visitor: options.visitor?.id }));
    if (isBusyFor(caller, activePreviews)) {
      const message = 'Too many previews are in progress. Try again in a second.';
      throw new MillraceError('rate_limited', message, { retryAfter: 1 });
    }
    activePreviews.add(caller);
    const { maxUnfinished } = options;
    try {
      const start = await predictStart(startConditions, job, owner, options, maxQueued);
      const signalWithTimeout = AbortSignal.any([signal, AbortSignal.timeout(PREVIEW_TIMEOUT_MS)]);
      const [{ inputs, problems }, storeProblems] = await Promise.all([
        probeInputs(job, { ...services, caller }, signalWithTimeout),
        checkStore(job, services, signalWithTimeout),
      ]);
      signal.throwIfAborted();
      const actions = streamActionsOf(job);
      return {
        jobId: job.id,
        status: start.status,
        message: start.message,
        inputs: inputs.map(({ codecs: _codecs, ...input }) => input),
        operation: { type: job.operation.type, ...actions },
        result: resultOf(job, inputs, actions),
        cost: { credits: 0 },
        unfinishedJobs: {
          now: start.unfinishedJobs,
          left: maxUnfinished === undefined ? null : Math.max(0, maxUnfinished - start.unfinishedJobs),
        },
        problems: [
          ...start.refusals.map((error) => ({ error, input: null })),
          ...problems,
          ...storeProblems,
          ...findSizeProblems(job, inputs),
          ...findCodecProblems(job, inputs, actions),
        ].map(describeProblem),
      };
    } finally {
      activePreviews.delete(caller);
    }
  };
}

/** Whether a caller can start no other preview. */
function isBusyFor(caller: Caller, active: ReadonlySet<Caller>): boolean {
  const ofAccount = [...active].filter(({ account }) => account === caller.account);
  const own = ofAccount.filter(({ key }) => key === caller.key);
  const isOverShare = isVisitor(caller) && own.length >= MAX_PREVIEWS.visitor;
  return active.size >= MAX_PREVIEWS.node || ofAccount.length >= MAX_PREVIEWS.account || isOverShare;
}

/** What the inputs of a job are probed with. */
interface ProbeServices extends PreviewServices {
  readonly caller: Caller;
}

interface Probes {
  readonly inputs: readonly ProbedInput[];
  readonly problems: readonly StartProblem[];
}

async function probeInputs(job: Job, services: ProbeServices, signal: AbortSignal): Promise<Probes> {
  const inputs = job.inputs.map(unknownInput);
  const problems: StartProblem[] = [];
  const queue = [...job.inputs.entries()];
  const probeNext = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, input] = next;
      try {
        inputs[index] = await probeThroughExit(job, input, index, services, signal);
      } catch (error) {
        problems.push({
          error: signal.aborted ? probeTimeoutError(index, error) : toMillraceError(error),
          input: index,
        });
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_PROBES }, probeNext));
  return { inputs, problems: problems.toSorted((one, other) => (one.input ?? 0) - (other.input ?? 0)) };
}

/** Checks whether the store of a delivery may be reached. Sends nothing to it. */
async function checkStore(
  { output: { delivery } }: Job,
  { checkStoreUrl }: PreviewServices,
  signal: AbortSignal,
): Promise<readonly StartProblem[]> {
  if (delivery === undefined) return [];
  try {
    await checkStoreUrl(delivery.url, signal);
    return [];
  } catch (error) {
    return signal.aborted ? [] : [{ error: toMillraceError(error), input: null }];
  }
}

/** Probes an input, and reports the outcome if the input comes from a platform. */
async function probeThroughExit(
  job: Job,
  input: JobInput,
  index: number,
  { exits, caller, reportMediaFetch, healsLinks = false }: ProbeServices,
  signal: AbortSignal,
): Promise<ProbedInput> {
  const exit = job.exit === undefined ? exits.forJobs : exits.byId(job.exit);
  const hasOtherInputs = job.inputs.filter(playsOverTime).length > 1;
  const probe = (egress: Exit) =>
    probeInput(input, index, { egress, caller, signal, pause: sleep, clip: job.clip, hasOtherInputs });
  if (job.origin === undefined || reportMediaFetch === undefined) return await probe(exit);
  const observed = observeProbe(exit, job.origin, index, (fetch) => reportMediaFetch({ ...fetch, caller }));
  try {
    return await probe(observed.exit);
  } catch (error) {
    // The job will request a new link, so the old one is no reason not to start it.
    if (healsLinks && observed.isLinkRefused && !signal.aborted) return unknownInput(input);
    throw error;
  } finally {
    observed.report();
  }
}

function findSizeProblems(job: Job, inputs: readonly ProbedInput[]): StartProblem[] {
  const sizeGuards = createSizeGuards(job);
  return inputs.flatMap((input, index) => {
    try {
      const size = fetchedSizeOf(input);
      if (size !== null) sizeGuards[index]?.check(size);
      return [];
    } catch (error) {
      return [{ error: toMillraceError(error), input: index }];
    }
  });
}

/** Returns the number of bytes to download of an input; null if it is unknown. */
function fetchedSizeOf({ size, clipSize = size }: ProbedInput): number | null {
  return clipSize;
}

/**
 * Estimates the result. Copied streams are as large as in the inputs; the size of all others depends on their content.
 */
function resultOf(job: Job, inputs: readonly ProbedInput[], actions: StreamActions): RenderPreview['result'] {
  const sizes = inputs.flatMap((input) => fetchedSizeOf(input) ?? []);
  const all = sizes.length === inputs.length ? sizes.reduce((sum, size) => sum + size, 0) : null;
  const kinds = [actions.video, actions.audio];
  const sizeAtMost = kinds.every((kind) => kind !== 'encode' && kind !== 'mix') ? all : null;
  const takesAll = !kinds.includes('drop') && job.operation.type !== 'replace_audio_in_video';
  const size = takesAll ? sizeAtMost : null;
  return { ext: job.output.ext, size, sizeText: size === null ? null : sizeText(size), sizeAtMost, ttl: job.ttl };
}

function describeProblem({ error: { code, message, retryable }, input }: StartProblem): PreviewProblem {
  return { code, message, retryable, input };
}

function probeTimeoutError(index: number, cause: unknown): MillraceError {
  const message = `Input ${index + 1} did not respond within the preview's time limit of ${PREVIEW_TIMEOUT_MS / 1_000} s.`;
  return new MillraceError('download_timeout', message, { cause });
}
