import { MillraceError } from '../../contract/errors.ts';
import type { EndpointParameters, Extraction, ExtractionContext, SourceClient, SourceContent } from '../platform.ts';
import { count, defined, type Fields, fields, unlessEmpty } from '../values.ts';
import { findPost } from './find-post.ts';
import { readLink } from './links.ts';
import type { MediaHeaders } from './media-headers.ts';
import { coverMedia, photoMedia } from './parse/images.ts';
import { readOembed } from './parse/oembed.ts';
import { postMetadata } from './parse/post-metadata.ts';
import { formatOfFile, readSounds, type Sound, soundMedia } from './parse/sounds.ts';
import { videoMedia } from './parse/videos.ts';
import { requestBeginning, requestOembed, type Site } from './requests.ts';
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
  try {
    const { found, source } = await findPost(link, site, context, landed);
    const { item, comments } = found.post;
    return {
      contents: [await contentOf(item, found.headers, source, site, context.signal)],
      metadata: postMetadata(link.id, item, comments, found.step),
      ...(source.country === undefined ? {} : { country: source.country }),
    };
  } catch (error) {
    if (!(error instanceof MillraceError) || !error.retryable || context.signal.aborted) throw error;
    return await describe(link.id, error, context.source, site);
  }
}

async function contentOf(
  item: Fields,
  headers: MediaHeaders,
  source: SourceClient,
  site: Site,
  signal: AbortSignal,
): Promise<SourceContent> {
  const video = fields(item.video);
  const sounds = readSounds(item, fields(item.music), video);
  const known = await Promise.all(sounds.map((sound) => withFormat(sound, headers, source, site, signal)));
  const photos = photoMedia(fields(item.imagePost));
  return defined({
    videos: unlessEmpty(photos.length > 0 ? [] : videoMedia(video, count(video.duration) || undefined, headers)),
    audios: unlessEmpty(known.map((sound) => soundMedia(sound, headers))),
    images: unlessEmpty(photos.length > 0 ? photos : coverMedia(video)),
  });
}

/** A sound with the kind of its file; where its link does not tell, its beginning does. */
async function withFormat(
  sound: Sound,
  headers: MediaHeaders,
  source: SourceClient,
  site: Site,
  signal: AbortSignal,
): Promise<Sound> {
  if (sound.format !== undefined) return sound;
  try {
    const answer = await requestBeginning(source, site, sound.url, headers.of(sound.url));
    const served = answer.status === 200 || answer.status === 206;
    const format = served ? formatOfFile(answer.text, answer.headers['content-type']) : undefined;
    return { ...sound, ...defined({ format }) };
  } catch (error) {
    // The post is answered without: only no render can be made of this sound.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return sound;
  }
}

/** The last resort where the site shows no page: what other sites may show of the post, without its media. */
async function describe(id: string, failure: MillraceError, source: SourceClient, site: Site): Promise<Extraction> {
  try {
    const item = readOembed(await requestOembed(source, site, id), id);
    const images = unlessEmpty(coverMedia(fields(item.video)));
    return {
      contents: images === undefined ? [] : [{ images }],
      metadata: postMetadata(id, item, undefined, 'oembed'),
      notes: [`The media are missing, and only the cover is here: ${failure.message}`],
    };
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    throw new MillraceError(failure.code, failure.message, { cause: new AggregateError([failure, error]) });
  }
}
