import { errorAdvice } from '../contract/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../contract/errors.ts';
import { jobLimits } from '../contract/job.ts';
import { sizeText } from '../contract/job-status.ts';
import type { Plan } from '../contract/subscription-plans.ts';

const statusTexts = {
  request: (status: number) => String(status),
  source: (status: number) => `200 (${status})`,
  service: (status: number) => String(status),
  job: () => 'job failed',
} as const;

/** Returns a section in Markdown with every error code: its HTTP status, its meaning, and what to do. */
export function errorSection(): string {
  const rows = (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => {
    const { status, retryable, origin } = errorCatalogue[code];
    const { meaning, action } = errorAdvice[code];
    return [`\`${code}\``, `${statusTexts[origin](status)}${retryable ? ', retryable' : ''}`, `${meaning} ${action}`];
  });
  return `# Error codes

Codes are stable, and messages may change. Refusals by a platform have HTTP status 200; the table shows
\`error.statusCode\` in brackets. A code of a job is in its last status event.

${table(['Code', 'HTTP status', 'Meaning and what to do'], rows)}`;
}

const count = (value: number): string => value.toLocaleString('en');

/** The rows of the plan table. */
const planRows = {
  renderableCount: ['Renderable formats per request', String],
  renderSize: ['Size of a rendered file', sizeText],
  availability: ['Availability of a rendered file', time],
  credits: ['Credits per month', count],
  requestsPerSecond: ['Requests per second', count],
  startsPerSecond: ['Job starts per second, direct job API', count],
  jobsAtOnce: ['Unfinished jobs, direct job API', count],
  storedSize: ['Size of all finished files that are stored at the same time', sizeText],
} as const satisfies Record<Exclude<keyof Plan, 'name'>, readonly [string, (value: number) => string]>;

/** Returns a section in Markdown with the limits of the service's plans and of jobs. */
export function limitSection(plans: readonly Plan[]): string {
  const entries = Object.entries(planRows) as [keyof typeof planRows, readonly [string, (value: number) => string]][];
  const rows = entries.map(([name, [title, text]]) => [title, ...plans.map((plan) => text(plan[name]))]);
  const { ttl, timeout, inputSize, chunkConcurrency, bodySize } = jobLimits;
  return `# Plans and limits

${table(['Limit', ...plans.map(({ name }) => name)], rows)}

- A job is kept for ${time(ttl.min)} to ${time(ttl.max)}; the default is ${time(ttl.default)}.
- The download timeout of an input is ${time(timeout.min)} to ${time(timeout.max)}; the default is ${time(timeout.default)}.
- The maximum size of one input, and of all inputs together, is ${sizeText(inputSize)}.
- A job downloads ${chunkConcurrency.min} to ${chunkConcurrency.max} chunks concurrently.
- A job description has at most ${bodySize / 1024} KiB.
- Use a client timeout of at least 60 seconds for an extraction, and of 10 minutes for a render.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function time(milliseconds: number): string {
  const [size, unit] =
    milliseconds >= 3_600_000 ? [3_600_000, 'hour'] : milliseconds >= 60_000 ? [60_000, 'minute'] : [1_000, 'second'];
  const number = milliseconds / Number(size);
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
