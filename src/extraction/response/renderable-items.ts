import { randomUUID } from 'node:crypto';
import type { Account } from '../../accounts/keys.ts';
import { type Addresses, statusLinks } from '../../contract/addresses.ts';
import { toMillraceError } from '../../contract/errors.ts';
import type { JobDescription } from '../../contract/job.ts';
import type { RenderableMediaItem } from '../../contract/media-items.ts';
import type { ItemOrigin } from '../../contract/media-origin.ts';
import { createExecutionUrl, type LongOrder } from '../../render/jobs/execution-url.ts';
import type { RenderableFile, SelectedRenderable } from '../../renderables/select-renderables.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { mapInSteps, type Steps } from '../../waiting/steps.ts';

/** Validity of execution URLs whose source links can be replaced. */
export const HEALING_LIFETIME_MS = 24 * 3_600_000;
/** Validity of other execution URLs, unless a source link expires sooner. */
const FIXED_LIFETIME_MS = 6 * 3_600_000;

/** The context that the render configs of one response share. */
interface RenderContext {
  readonly platform: string;
  readonly title: string | undefined;
  readonly account: Account;
  /** The exit that the extraction used. */
  readonly exit: string;
  /** Returns where the links of a file came from. */
  readonly originOf: (file: RenderableFile) => ItemOrigin;
  readonly addresses: Addresses;
  readonly sealer: Sealer;
  /** Whether source links that no longer work are replaced. */
  readonly healsLinks: boolean;
  /** Called with an order that must be stored before the response is sent. */
  readonly keepLongOrder: (order: LongOrder) => void;
}

/** Creates the items of renderable files, with sealed execution URLs under the limits of the caller's plan. */
export function createRenderableItems(
  renderables: readonly SelectedRenderable[],
  context: RenderContext,
): Steps<RenderableMediaItem[]> {
  return mapInSteps(renderables, (renderable) =>
    'error' in renderable ? renderable : createRenderableItem(renderable, context),
  );
}

/** Returns items without the renders of these jobs, with an error in their place. */
export function withoutRenders(
  items: readonly RenderableMediaItem[],
  jobIds: ReadonlySet<string>,
  error: string,
): RenderableMediaItem[] {
  return items.map((item) =>
    item.renderConfig !== undefined && jobIds.has(item.repId) ? { ...namesOf(item), error } : item,
  );
}

function namesOf({ label, requested }: Pick<RenderableMediaItem, 'label' | 'requested'>) {
  return { label, ...(requested === undefined ? {} : { requested }) };
}

function createRenderableItem(renderable: RenderableFile, context: RenderContext): RenderableMediaItem {
  const { platform, title, account, exit, originOf, addresses, sealer, healsLinks, keepLongOrder } = context;
  const { name: plan, renderSize, availability } = account.plan;
  const { representations } = renderable;
  const origin = originOf(renderable);
  const names = namesOf(renderable);
  const id = `${platform}-${randomUUID()}`;
  const description: JobDescription = {
    id,
    ...renderable.job,
    output: { ...renderable.job.output, ...(title === undefined ? {} : { downloadName: title.slice(0, 300) }) },
    ttl: availability,
    limits: { inputSize: { perInput: renderSize, total: renderSize } },
  };
  const order = {
    description,
    exit,
    ...(representations === undefined ? { item: origin } : { origin: { ...origin, representations } }),
    owner: account.id,
    plan,
    ...(account.visitor === undefined ? {} : { visitor: account.visitor }),
    expiresAt: expiryOf(renderable, healsLinks && representations !== undefined, Date.now()),
  };
  try {
    const executionUrl = createExecutionUrl(sealer, addresses.render, order, keepLongOrder);
    const config = { executionUrl, ...statusLinks(addresses, id) };
    return { ...names, renderConfig: config, repId: id, metadata: renderable.metadata };
  } catch (error) {
    return { ...names, error: toMillraceError(error).message };
  }
}

function expiryOf({ expiresAt: sourceExpiry }: RenderableFile, hasReplaceableLinks: boolean, now: number): number {
  if (hasReplaceableLinks) return now + HEALING_LIFETIME_MS;
  return Math.min(now + FIXED_LIFETIME_MS, sourceExpiry ?? Number.POSITIVE_INFINITY);
}
