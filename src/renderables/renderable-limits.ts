import { sizeText } from '../contract/job-status.ts';
import type { Plan } from '../contract/subscription-plans.ts';

/** Returns the message for a file that is larger than its plan allows. `bytes` may be an estimate. */
export function sizeLimitMessage(
  label: string,
  bytes: number,
  isEstimate: boolean,
  { name, renderSize }: Plan,
): string {
  const size = `${isEstimate ? 'about ' : ''}${sizeText(bytes)}`;
  return `Over the plan size limit: ${label} has ${size}, but plan ${name} allows ${sizeText(renderSize)} per file.`;
}

/** Returns the message for a format beyond the number that its plan allows. */
export function countLimitMessage({ name, renderableCount }: Plan): string {
  const formats = renderableCount === 1 ? '1 format' : `${renderableCount} formats`;
  return `Beyond the plan renderable count: plan ${name} prepares ${formats} per request.`;
}
