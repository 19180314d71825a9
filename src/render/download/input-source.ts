import { withInput, MillraceError } from '../../contract/errors.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import { bindHeaders } from '../../egress/credentials.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Pause } from './retry-budget.ts';
import type { Source } from './source.ts';
import { withSourceName } from './source-error.ts';

/** What every input of a job is fetched with. */
export interface SourceContext {
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly pause: Pause;
  readonly budgets: readonly TimeBudget[];
}

/** The time of one input, for all fallbacks together. */
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
  { egress, signal, pause, budgets }: SourceContext,
  fetch: (source: Source) => Promise<Result>,
): Promise<Result> {
  const name = `Input ${index + 1}`;
  const budget = budgets[index] ?? { left: input.timeout };
  const begun = performance.now();
  const deadline = new AbortController();
  const troubles = new Map<string, MillraceError>();
  const end = () => deadline.abort(timedOut(name, input.timeout, [...troubles.values()].at(-1)));
  const timer = setTimeout(end, Math.max(0, budget.left));
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
      onTrouble(about, trouble) {
        troubles.delete(about);
        if (trouble !== undefined) troubles.set(about, trouble);
      },
    });
  } catch (error) {
    throw withInput(withSourceName(error, name), index);
  } finally {
    clearTimeout(timer);
    budget.left -= performance.now() - begun;
  }
}

function timedOut(name: string, timeout: number, trouble: MillraceError | undefined): MillraceError {
  const tried = trouble === undefined ? '' : ` The last try failed: ${withoutRemedy(trouble.message)}`;
  return new MillraceError(
    'download_timeout',
    `${name} was not there within its timeout of ${timeout / 1000} s.${tried} Start the same job again, or raise timeout.`,
    { cause: trouble },
  );
}

/** The first sentence of a message. Hosts have dots, but no spaces behind them. */
function withoutRemedy(message: string): string {
  const end = message.indexOf('. ');
  return end < 0 ? message : message.slice(0, end + 1);
}
