import { MillraceError } from '../../../contract/errors.ts';
import type { SourceMedia } from '../../../contract/source-media.ts';
import type { ContentMedia, Extraction } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest, type Surroundings, withStrategy } from '../../testing/fake-site.ts';
import { detailOf, page, postId, videoItem } from './pages.ts';
import { tiktok } from './tiktok.ts';

/** The link of the post in tests. */
export const postAddress = `https://www.tiktok.com/@two.three/video/${postId}`;

/** Returns a post's desktop page. */
export const desktopPage = (item: object = videoItem) => page({ 'webapp.video-detail': detailOf(item) });

/** Returns a post's mobile page. */
export const mobilePage = (item: object = videoItem) => page({ 'webapp.reflow.video.detail': detailOf(item) });

/** A page without a subject. */
export const shell = page({ 'webapp.app-context': {} });

/** The replies of the simulated site: to desktop and mobile browsers that request the post, and to other requests. */
export interface Replies {
  readonly desktop?: Reply | ((request: SeenRequest) => Reply);
  readonly mobile?: Reply;
  readonly others?: (url: URL) => Reply;
}

/** The reply of a site that is down. */
export const nothing: Reply = { status: 503, body: '' };

/** The endpoint for posts. */
export const postEndpoint = tiktok.endpoints.find(({ path }) => path === '/post/details');

/** Creates a site from its replies. */
export function postSite({ desktop = nothing, mobile = nothing, others }: Replies, surroundings?: Surroundings) {
  return fakeSite((request) => {
    if (!request.url.pathname.includes('/video/7') || request.headers.range !== undefined) {
      return others?.(request.url) ?? nothing;
    }
    if (request.headers['user-agent']?.includes('iPhone')) return mobile;
    return typeof desktop === 'function' ? desktop(request) : desktop;
  }, surroundings);
}

/** An extraction, its first content, and the requests that it caused. */
type SeenExtraction = Extraction & { readonly content: ContentMedia; readonly requests: readonly SeenRequest[] };

interface Options extends Surroundings {
  readonly link?: string;
  readonly strategy?: string;
}

/** Extracts the post. */
export async function extractPost(
  replies: Replies,
  { link = postAddress, strategy, ...surroundings }: Options = {},
): Promise<SeenExtraction> {
  const world = postSite(replies, surroundings);
  if (postEndpoint === undefined) throw new Error('there is no such endpoint');
  const context = strategy === undefined ? world.context : withStrategy(world.context, strategy);
  const extraction = await postEndpoint.extract({ url: link }, context);
  const [content] = extraction.contents ?? [];
  return { ...extraction, content: content ?? {}, requests: world.requests };
}

/** Extracts a post that the site does not return, and returns the error. */
export async function postRefusal(replies: Replies, options?: Options): Promise<MillraceError> {
  const error: unknown = await extractPost(replies, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof MillraceError) return error;
  throw new Error('expected a refusal', { cause: error });
}

/** Returns the representation IDs of media. */
export const ids = (media: readonly SourceMedia[] = []) => media.map(({ item }) => item.repId);
