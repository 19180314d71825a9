import { maxUrlLength } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { JobDescription } from '../../contract/job.ts';
import { invalidExecutionUrl } from '../../contract/render-api/parameters.ts';
import { renderPaths } from '../../contract/render-api/paths.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** The path of execution URLs. Those of stored descriptions have the ID as an additional path segment. */
const executePath = renderPaths.startSealedJob.path;

/** The content of an execution URL: everything needed to start its job, so nothing is stored before the URL is used. */
interface ExecutionOrder {
  readonly description: JobDescription;
  /** The exit through which the job's source links were found and are fetched. */
  readonly exit: string;
  /** The owner of the job. */
  readonly owner: string;
  /** Milliseconds since 1970; after that the URL no longer starts a job. */
  readonly expiresAt: number;
}

/**
 * Seals an order into a URL under the address of the render service.
 *
 * @throws MillraceError `other` if the URL would exceed the maximum URL length.
 */
export function createExecutionUrl(sealer: Sealer, renderAddress: string, order: ExecutionOrder): string {
  const url = `${renderAddress}${executePath}?order=${sealer.seal('execution-url', order)}`;
  if (url.length > maxUrlLength) {
    throw new MillraceError('other', 'The links of this format are too long for a render URL; choose another format.');
  }
  return url;
}

/** The content of an execution URL: a sealed order, or the ID of a stored description. */
type ExecutionLink = { readonly order: string } | { readonly cacheId: string };

/**
 * Parses an execution URL from a text, such as an item of a batch. Its content, not its host, shows whether this
 * service created it.
 *
 * @throws MillraceError `invalid_url` if it is not an execution URL.
 */
export function parseExecutionUrl(text: string): ExecutionLink {
  const url = URL.parse(text);
  const path = url?.pathname ?? '';
  const start = path.lastIndexOf(executePath);
  const suffix = start === -1 ? undefined : path.slice(start + executePath.length);
  const [order, ...more] = url?.searchParams.getAll('order') ?? [];
  const [, cacheId] = /^\/([^/]+)$/.exec(suffix ?? '') ?? [];
  if (cacheId !== undefined) return { cacheId };
  if (suffix === '' && order !== undefined && more.length === 0) return { order };
  throw new MillraceError('invalid_url', 'This is not an execution URL. Send it exactly as it was returned.');
}

/**
 * Opens the sealed part of an execution URL. An expired order is returned too: its job may still exist.
 *
 * @throws MillraceError `invalid_url` (403) if it was altered or not created by this service.
 */
export function openOrder(sealer: Sealer, sealedOrder: string): ExecutionOrder {
  const order = sealer.open('execution-url', sealedOrder);
  if (order === undefined) throw invalidExecutionUrl();
  // Only createExecutionUrl() seals for this purpose.
  return order as ExecutionOrder;
}
