import { maxUrlLength } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { JobDescription } from '../../contract/job.ts';
import { invalidExecutionUrl } from '../../contract/render-api/parameters.ts';
import { renderPaths } from '../../contract/render-api/paths.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** The path of execution URLs. Those of stored descriptions have an id below it. */
const executePath = renderPaths.startSealedJob.path;

/** The content of an execution URL: everything needed to start its job, so nothing is stored before it is used. */
interface ExecutionOrder {
  readonly description: JobDescription;
  /** The exit that its links were found through, and are fetched through. */
  readonly exit: string;
  /** Who owns the job. */
  readonly owner: string;
  /** Milliseconds since 1970; after that the URL no longer starts a job. */
  readonly expiresAt: number;
}

/**
 * Seals an order into a URL below the address of the render service.
 *
 * @throws MillraceError `other` when it gets longer than URLs may be.
 */
export function createExecutionUrl(sealer: Sealer, renderAddress: string, order: ExecutionOrder): string {
  const url = `${renderAddress}${executePath}?order=${sealer.seal('execution-url', order)}`;
  if (url.length > maxUrlLength) {
    throw new MillraceError('other', 'The links of this format are too long for a render URL; choose another format.');
  }
  return url;
}

/** What an execution URL holds: a sealed order, or the id of a stored description. */
type ExecutionLink = { readonly order: string } | { readonly cacheId: string };

/**
 * Reads an execution URL from a text, such as an item of a batch. Its content, and not its host, shows whether it is
 * ours.
 *
 * @throws MillraceError `invalid_url` where it is no execution URL.
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
  throw new MillraceError('invalid_url', 'This is no execution URL. Send one as it was handed out.');
}

/**
 * Opens the sealed part of an execution URL. An expired order is returned too: its job may still live.
 *
 * @throws MillraceError `invalid_url` (403) when it was altered or is not ours.
 */
export function openOrder(sealer: Sealer, sealedOrder: string): ExecutionOrder {
  const order = sealer.open('execution-url', sealedOrder);
  if (order === undefined) throw invalidExecutionUrl();
  // Only createExecutionUrl() seals for this purpose.
  return order as ExecutionOrder;
}
