import type { Caller } from '../../contract/caller.ts';
import { MillraceError, withInput } from '../../contract/errors.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import type { Egress } from '../../egress/egress.ts';
import { noTracing, type Tracer } from '../../tracing/tracer.ts';
import { firstSentence } from './first-sentence.ts';
import { createJobMemory, type HeldMemory } from './held-memory.ts';
import { linkOf } from './links/input-link.ts';
import type { JobLinks } from './links/job-links.ts';
import { fixedLink } from './links/source-link.ts';
import { openInputPlaylists } from './playlist-memory.ts';
import type { Pause } from './retry-budget.ts';
import { withSourceName } from './source-error.ts';
import type { Source } from './source-request.ts';

/** Parameters for fetching each input of a job. */
export interface FetchContext {
  readonly egress: Egress;
  /** Whom the inputs are fetched for. */
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly pause: Pause;
  readonly budgets: readonly TimeBudget[];
  /** The links of the inputs, shared by all fallbacks. Default: those of the job, which are never replaced. */
  readonly links?: JobLinks | undefined;
  /** What the downloads of the job hold in memory, shared by all fallbacks. Default: this is the only one. */
  readonly heldMemory?: HeldMemory | undefined;
  readonly tracer?: Tracer | undefined;
}

/** The time budget of one input, shared by all fallbacks. */
export interface TimeBudget {
  /** Remaining milliseconds of its timeout. */
  remainingMs: number;
}

/** Creates the budget of each input of a job. */
export function createTimeBudgets({ inputs }: Job): TimeBudget[] {
  return inputs.map(({ timeout }) => ({ remainingMs: timeout }));
}

/**
 * Fetches an input within the remaining time of its timeout.
 *
 * @throws MillraceError `download_timeout`, or any error that `fetch` throws, with the number of the input.
 */
export async function fetchWithinBudget<Result>(
  input: JobInput,
  index: number,
  { egress, caller, signal, pause, budgets, links, heldMemory = createJobMemory(), tracer = noTracing }: FetchContext,
  fetch: (source: Source) => Promise<Result>,
): Promise<Result> {
  const name = `Input ${index + 1}`;
  const inputLink = links?.inputs[index];
  const budget = budgets[index] ?? { remainingMs: input.timeout };
  const startedAt = performance.now();
  const deadline = new AbortController();
  const playlists = openInputPlaylists(caller.key);
  const failures = new Map<string, MillraceError>();
  const end = () => deadline.abort(timeoutError(name, input.timeout, [...failures.values()].at(-1)));
  const timer = setTimeout(end, Math.max(0, budget.remainingMs));
  try {
    const source: Source = {
      egress,
      caller,
      link: inputLink ?? fixedLink(linkOf(input)),
      rangeType: input.chunks.type,
      heldMemory,
      playlists,
      name,
      allowsPage: input.ext === 'html' || input.ext === 'htm',
      ...(input.language === undefined ? {} : { language: input.language }),
      pause,
      signal: AbortSignal.any([signal, deadline.signal]),
      onFailure(resourceName, failure) {
        failures.delete(resourceName);
        if (failure !== undefined) failures.set(resourceName, failure);
      },
    };
    const result = await tracer.span('download input', { 'millrace.input': index + 1 }, () => fetch(source));
    inputLink?.arrived();
    return result;
  } catch (error) {
    throw withInput(withSourceName(error, name), index);
  } finally {
    playlists.close();
    clearTimeout(timer);
    budget.remainingMs -= performance.now() - startedAt;
  }
}

function timeoutError(name: string, timeout: number, failure: MillraceError | undefined): MillraceError {
  const lastFailure = failure === undefined ? '' : ` The last attempt failed: ${firstSentence(failure.message)}`;
  return new MillraceError(
    'download_timeout',
    `${name} was not downloaded within its timeout of ${timeout / 1000} s.${lastFailure} Start the same job again, or increase timeout.`,
    { cause: failure },
  );
}
