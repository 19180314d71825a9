import { MillraceError } from '../../contract/errors.ts';
import { count, defined, type Fields, fields, unlessEmpty } from '../../parsing/values.ts';
import type { EndpointParameters, Extraction, ExtractionContext, SourceClient, SourceContent } from '../platform.ts';
import { findPost } from './find-post.ts';
import { readLink } from './links.ts';
import type { MediaAccess } from './media-access.ts';
import { coverMedia, photoMedia } from './parse/images.ts';
import { postMetadata } from './parse/post-metadata.ts';
import { formatOfFile, readSounds, type Sound, soundMedia } from './parse/sounds.ts';
import { videoMedia } from './parse/videos.ts';
import { requestBeginning, type Site } from './requests.ts';
import { followShortLink } from './short-links.ts';

/**
 * The media and metadata of one post.
 *
 * @throws MillraceError with the code that says why there is no answer.
 */
export async function postDetails(
  parameters: EndpointParameters,
  context: ExtractionContext,
  site: Site,
): Promise<Extraction> {
  const sent = readLink(parameters.url, 'post');
  const { link, landed } =
    sent.kind === 'short'
      ? await followShortLink(sent, 'post', context.source, site)
      : { link: sent, landed: undefined };
  const { found, source } = await findPost(link, site, context, landed);
  const { item, comments } = found.post;
  return {
    contents: [await contentOf(item, found.access, source, site, context.signal)],
    metadata: postMetadata(link.id, item, comments, found.step),
    ...(source.country === undefined ? {} : { country: source.country }),
  };
}

async function contentOf(
  item: Fields,
  access: MediaAccess,
  source: SourceClient,
  site: Site,
  signal: AbortSignal,
): Promise<SourceContent> {
  const video = fields(item.video);
  const sounds = readSounds(item, fields(item.music), video);
  const known = await Promise.all(sounds.map((sound) => withFormat(sound, access, source, site, signal)));
  const photos = photoMedia(fields(item.imagePost));
  return defined({
    videos: unlessEmpty(photos.length > 0 ? [] : videoMedia(video, count(video.duration) || undefined, access)),
    audios: unlessEmpty(known.map((sound) => soundMedia(sound, access))),
    images: unlessEmpty(photos.length > 0 ? photos : coverMedia(video)),
  });
}

/** A sound with the kind of its file; where its link does not tell, its beginning does. */
async function withFormat(
  sound: Sound,
  access: MediaAccess,
  source: SourceClient,
  site: Site,
  signal: AbortSignal,
): Promise<Sound> {
  if (sound.format !== undefined) return sound;
  try {
    const answer = await requestBeginning(source, site, sound.url, access.of(sound.url)?.headers);
    const served = answer.status === 200 || answer.status === 206;
    const format = served ? formatOfFile(answer.text, answer.headers['content-type']) : undefined;
    return { ...sound, ...defined({ format }) };
  } catch (error) {
    // The post is answered without: only no render can be made of this sound.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return sound;
  }
}
