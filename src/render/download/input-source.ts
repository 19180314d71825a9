import { aboutInput, MillraceError } from '../../contract/errors.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import { bindHeaders } from '../../egress/credentials.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Pause } from './patience.ts';
import type { Source } from './source.ts';

/** What every input of a job is fetched with. */
export interface InputWay {
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly pause: Pause;
  readonly budgets: readonly TimeBudget[];
}

/** The time of one input, whatever roads are tried. */
export interface TimeBudget {
  /** Milliseconds that are left of its timeout. */
  left: number;
}

/** Opens the budget of each input of a job. */
export function openTimeBudgets({ inputs }: Job): TimeBudget[] {
  return inputs.map(({ timeout }) => ({ left: timeout }));
}

/**
 * Fetches an input within what is left of its timeout.
 *
 * @throws MillraceError `download_timeout`, or whatever `fetch` throws, about this input.
 */
export async function withSource<Result>(
  input: JobInput,
  index: number,
  { egress, signal, pause, budgets }: InputWay,
  fetch: (source: Source) => Promise<Result>,
): Promise<Result> {
  const name = `Input ${index + 1}`;
  const budget = budgets[index] ?? { left: input.timeout };
  const begun = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(timedOut(name, input.timeout)), Math.max(0, budget.left));
  try {
    return await fetch({
      egress,
      url: input.url,
      request: { ...input.request, headers: bindHeaders(input.url, input.request.headers) },
      rangeType: input.chunks.type,
      name,
      page: input.ext === 'html' || input.ext === 'htm',
      pause,
      signal: AbortSignal.any([signal, deadline.signal]),
    });
  } catch (error) {
    throw aboutInput(error, index);
  } finally {
    clearTimeout(timer);
    budget.left -= performance.now() - begun;
  }
}

function timedOut(name: string, timeout: number): MillraceError {
  return new MillraceError(
    'download_timeout',
    `${name} was not there within its timeout of ${timeout / 1000} s. Start the same job again, or raise timeout.`,
  );
}
