import type { BlockIndex } from '../../blocks/block-index.ts';
import type { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/**
 * Returns the error for a job whose item, a host of whose inputs, or the host of whose store the operator has blocked;
 * undefined for any other. Hosts that are known only later, such as those of redirects and segments, are refused by the
 * address guard.
 */
export function refusalOfJob(
  { origin, item, inputs, output: { delivery } }: Job,
  blocks: BlockIndex,
): MillraceError | undefined {
  const source = origin ?? item;
  const refusal = source === undefined ? undefined : blocks.refusalOfOrigin(source);
  if (refusal !== undefined) return refusal;
  return [...inputs, ...(delivery === undefined ? [] : [delivery])]
    .map(({ url }) => parseUrl(url))
    .map((url) => (url === null ? undefined : blocks.refusalOfHost(url.hostname)))
    .find((error) => error !== undefined);
}
