import { MillraceError } from './errors.ts';
import { type Job, type JobInput, jobLimits } from './job.ts';

/**
 * Refuses a job that is too large with all defaults filled in. Its inputs may share one request: in the database, and
 * for workers, each input has a copy of it. The job is measured as if it were copied, without copying.
 *
 * @throws MillraceError `body_too_large`
 */
export function checkNormalizedSize(job: Job): void {
  const size = normalizedSize(job);
  if (size <= jobLimits.normalizedSize) return;
  const message =
    `The job description takes ${kib(size)} KiB when its requestOptions apply to each of its ${job.inputs.length} inputs; ` +
    `the limit is ${kib(jobLimits.normalizedSize)} KiB. Shorten the headers and the body, or set requestOptions only on ` +
    'the inputs that need them.';
  throw new MillraceError('body_too_large', message);
}

/** Returns the bytes of a job as JSON. A request that several inputs share is converted once, and counts for each. */
export function normalizedSize({ inputs, ...rest }: Job): number {
  const requestSizes = new Map<JobInput['request'], number>();
  let size = jsonBytes({ inputs: [], ...rest }) + Math.max(0, inputs.length - 1);
  for (const { request, ...input } of inputs) {
    const requestSize = requestSizes.get(request) ?? jsonBytes(request);
    requestSizes.set(request, requestSize);
    size += jsonBytes({ ...input, request: 0 }) - 1 + requestSize;
  }
  return size;
}

function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function kib(bytes: number): string {
  return Math.ceil(bytes / 1024).toLocaleString('en-US');
}
