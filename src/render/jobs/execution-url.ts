import { randomBytes } from 'node:crypto';
import { maxUrlLength } from '../../contract/addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import { type JobDescription, jobLimits } from '../../contract/job.ts';
import type { ItemOrigin, JobOrigin } from '../../contract/media-origin.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import { isRepeated, queryParameter } from '../../contract/query-parameters.ts';
import { invalidExecutionUrl } from '../../contract/render-api/parameters.ts';
import { renderPaths } from '../../contract/render-api/paths.ts';
import type { Plan, PlanName } from '../../contract/subscription-plans.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** The path of execution URLs. Those of stored descriptions have the ID as an additional path segment. */
const executePath = renderPaths.startSealedJob.path;

/**
 * Everything needed to start the job of an execution URL. The URL contains it, so that nothing is stored before the URL
 * is used, unless it is too long.
 */
export interface ExecutionOrder {
  readonly description: JobDescription;
  /** The exit through which the job's source links were found and are fetched. */
  readonly exit: string;
  /** Where the job's source links came from. Absent if they cannot be replaced. */
  readonly origin?: JobOrigin;
  /** The item that the source links belong to, if they cannot be replaced. */
  readonly item?: ItemOrigin;
  /** The owner of the job. */
  readonly owner: string;
  /** The plan of the owner, which limits its stored files. Absent in URLs of earlier versions. */
  readonly plan?: PlanName;
  /** ID of the visitor of the page who received the URL; absent for callers with a key. */
  readonly visitor?: string;
  /** Milliseconds since 1970; after that the URL no longer starts a job. */
  readonly expiresAt: number;
}

/** An order that is too long for a URL, and the ID under which it is stored. */
export interface LongOrder {
  /** Unguessable. Only the sealed part of the execution URL contains it. */
  readonly orderId: string;
  readonly order: ExecutionOrder;
}

/**
 * Stores orders until they expire: all of them, or none.
 *
 * @param plan - the plan of their owner, which its quota follows.
 */
export type StoreOrders = (orders: readonly LongOrder[], plan: Pick<Plan, 'jobsAtOnce'>) => Promise<void>;

/** The content of the execution URL of a stored order: enough to attach to its job and to cancel it. */
interface OrderReference extends Pick<LongOrder, 'orderId'>, Pick<ExecutionOrder, 'owner' | 'visitor' | 'expiresAt'> {
  readonly jobId: string;
}

/** Maximum size of a stored order in bytes, as JSON. */
const MAX_ORDER_BYTES = jobLimits.bodySize;

/**
 * Seals an order into a URL under the address of the render service. If the URL would exceed the maximum URL length, it
 * contains only the ID of the order.
 *
 * @param keepLongOrder Called with an order that must be stored before the URL is used. Its errors are thrown.
 * @throws MillraceError `other` if the order cannot be stored because its links are too long.
 */
export function createExecutionUrl(
  sealer: Sealer,
  renderAddress: string,
  order: ExecutionOrder,
  keepLongOrder: (order: LongOrder) => void,
): string {
  const urlOf = (content: ExecutionOrder | OrderReference) =>
    `${renderAddress}${executePath}?order=${sealer.seal('execution-url', content)}`;
  const url = urlOf(order);
  if (url.length <= maxUrlLength) return url;
  checkLongOrder(order);
  const { description, owner, visitor, expiresAt } = order;
  const orderId = randomBytes(16).toString('base64url');
  keepLongOrder({ orderId, order });
  return urlOf({ orderId, jobId: description.id, owner, ...(visitor === undefined ? {} : { visitor }), expiresAt });
}

/** @throws MillraceError `other` if a job cannot be started from the order. */
function checkLongOrder(order: ExecutionOrder): void {
  const message = 'The links of this format are too long to be rendered. Choose another format.';
  if (Buffer.byteLength(JSON.stringify(order)) > MAX_ORDER_BYTES) throw new MillraceError('other', message);
  try {
    parseJob(order.description);
  } catch (cause) {
    throw new MillraceError('other', message, { cause });
  }
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
  const url = parseUrl(text);
  const path = url?.pathname ?? '';
  const start = path.lastIndexOf(executePath);
  const suffix = start === -1 ? undefined : path.slice(start + executePath.length);
  const order = isRepeated(url, 'order') ? undefined : queryParameter(url, 'order');
  const [, cacheId] = /^\/([^/]+)$/.exec(suffix ?? '') ?? [];
  if (cacheId !== undefined) return { cacheId };
  if (suffix === '' && order !== undefined) return { order };
  throw new MillraceError('invalid_url', 'This is not an execution URL. Send it exactly as it was returned.');
}

/** The opened sealed part of an execution URL. */
interface OpenedOrder extends Pick<ExecutionOrder, 'owner' | 'visitor' | 'expiresAt'> {
  readonly jobId: string;
  /** The order, or the ID under which it is stored. */
  readonly content: ExecutionOrder | Pick<LongOrder, 'orderId'>;
}

/**
 * Opens the sealed part of an execution URL. An expired order is returned too: its job may still exist.
 *
 * @throws MillraceError `invalid_url` (403) if it was altered or not created by this service.
 */
export function openOrder(sealer: Sealer, sealedOrder: string): OpenedOrder {
  const opened = sealer.open('execution-url', sealedOrder);
  if (opened === undefined) throw invalidExecutionUrl();
  // Only createExecutionUrl() seals for this purpose.
  const content = opened as ExecutionOrder | OrderReference;
  const { owner, visitor, expiresAt } = content;
  const jobId = 'orderId' in content ? content.jobId : content.description.id;
  return { jobId, owner, ...(visitor === undefined ? {} : { visitor }), expiresAt, content };
}
