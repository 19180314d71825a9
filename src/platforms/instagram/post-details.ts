import type { Extraction, ExtractionContext } from '../platform.ts';
import { mediaContent } from './content.ts';
import { findPost } from './find-post.ts';
import { postMetadata } from './post-metadata.ts';
import type { InstagramRequests } from './requests.ts';

/**
 * The media and metadata of one post: one content for each picture or video, in order.
 *
 * @throws MillraceError with the code that says why there is no answer.
 */
export async function postDetails(
  code: string,
  requests: InstagramRequests,
  { signal }: ExtractionContext,
): Promise<Extraction> {
  const { post, source } = await findPost(code, requests, signal);
  const parts = post.media.map(mediaContent);
  const notes = parts.flatMap(({ note }) => note ?? []);
  const cover = parts.find(({ content }) => content.images !== undefined)?.content.images?.[0]?.item.url;
  return {
    contents: parts.map(({ content }) => content),
    metadata: postMetadata(post, source, cover),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
