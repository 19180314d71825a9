import { randomUUID } from 'node:crypto';
import type { Account } from '../../accounts/keys.ts';
import { type Addresses, statusLinks } from '../../contract/addresses.ts';
import { toMillraceError } from '../../contract/errors.ts';
import type { JobDescription } from '../../contract/job.ts';
import type { RenderableMediaItem } from '../../contract/media-items.ts';
import { createExecutionUrl } from '../../render/jobs/execution-url.ts';
import type { SelectedRenderable } from '../../renderables/select-renderables.ts';
import type { Sealer } from '../../sealing/sealer.ts';

/** Validity of execution URLs, unless a source link expires sooner. */
const EXECUTION_URL_LIFETIME_MS = 6 * 3_600_000;

/** The context that the render configs of one response share. */
interface RenderContext {
  readonly platform: string;
  readonly title: string | undefined;
  readonly account: Account;
  /** The exit that the extraction used. */
  readonly exit: string;
  readonly addresses: Addresses;
  readonly sealer: Sealer;
}

/** Creates the items of renderable files, with sealed execution URLs under the limits of the caller's plan. */
export function createRenderableItems(
  renderables: readonly SelectedRenderable[],
  context: RenderContext,
): RenderableMediaItem[] {
  return renderables.map((renderable) =>
    'error' in renderable ? renderable : createRenderableItem(renderable, context),
  );
}

function createRenderableItem(
  renderable: Exclude<SelectedRenderable, { error: string }>,
  context: RenderContext,
): RenderableMediaItem {
  const { platform, title, account, exit, addresses, sealer } = context;
  const { renderSize, availability } = account.plan;
  const id = `${platform}-${randomUUID()}`;
  const description: JobDescription = {
    id,
    ...renderable.job,
    output: { ...renderable.job.output, ...(title === undefined ? {} : { downloadName: title.slice(0, 300) }) },
    ttl: availability,
    limits: { inputSize: { perInput: renderSize, total: renderSize } },
  };
  const lifetime = Date.now() + EXECUTION_URL_LIFETIME_MS;
  const order = {
    description,
    exit,
    owner: account.id,
    expiresAt: Math.min(lifetime, renderable.expiresAt ?? lifetime),
  };
  try {
    const config = { executionUrl: createExecutionUrl(sealer, addresses.render, order), ...statusLinks(addresses, id) };
    return { label: renderable.label, renderConfig: config, repId: id, metadata: renderable.metadata };
  } catch (error) {
    return { label: renderable.label, error: toMillraceError(error).message };
  }
}
