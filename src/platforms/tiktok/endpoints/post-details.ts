import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { generalFormats, renderableFormatsParameter } from '../../../contract/parameters.ts';
import { renderParameters } from '../../../contract/render-parameters.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { count, defined, fields, unlessEmpty } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { ContentMedia, Endpoint, SourceClient } from '../../platform.ts';
import { profileNote } from '../../profile-note.ts';
import { addUnread } from '../../unread.ts';
import { findPost, postStrategies } from '../find/post.ts';
import { followShortLink } from '../find/short-links.ts';
import type { Lookup, StartLookup } from '../find/strategies.ts';
import { partsOfComments } from '../parse/comments.ts';
import { coverMedia, photoMedia } from '../parse/images.ts';
import type { MediaAccess } from '../parse/media-access.ts';
import type { Post } from '../parse/post.ts';
import { postMetadata } from '../parse/post-metadata.ts';
import { formatOfFile, readSounds, type Sound, soundMedia } from '../parse/sounds.ts';
import { sourceCaptionsOf } from '../parse/source-captions.ts';
import { videoMedia } from '../parse/video-media.ts';
import { requestFirstBytes } from '../requests.ts';
import { type ClientName, clientNames } from '../site.ts';
import { canonicalPost, readLink, subjectsOfUrl, urlParameter } from './parameters.ts';

/** Creates the endpoint for the media and metadata of a post. */
export function postDetails(startLookup: StartLookup): Endpoint {
  return defineEndpoint({
    path: '/post/details',
    summary: 'Media and metadata of a video or photo post',
    parameters: Type.Object({
      url: urlParameter(
        'Link to a video or photo post, or text that contains one. Short links and IDs of posts are supported.',
        'https://www.tiktok.com/@thelab/video/7559142440960000001',
      ),
      renderableFormats: Type.Optional(
        renderableFormatsParameter([], `Qualities to prepare renders for: ${generalFormats.join(', ')}.`),
      ),
      ...renderParameters,
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    strategies: postStrategies,
    renderables: { matches: (label, format) => label === format, audio: true, severalImages: true },
    subjects: ({ url }) => subjectsOfUrl(url, 'post'),
    canonical: ({ url }) => ({ url: canonicalPost(url) }),
    async extract({ url }, context) {
      const lookup = startLookup(context);
      const reference = readLink(url, 'post');
      const { link, landing } =
        reference.kind === 'short'
          ? await followShortLink(reference, 'post', context.source, lookup)
          : { link: reference, landing: undefined };
      const order = context.profileOrder(postStrategies);
      const { value, source, unread, failure } = await findPost(link, lookup, context, order, landing);
      const { post, access, strategy } = value;
      const metadata = postMetadata(link.id, post, strategy);
      const { content, missing } = await contentOf(post, access, source, lookup, context.signal);
      const profiles = profileNotes(post, strategy, order, failure);
      return {
        contents: [{ ...content, subjects: noSubjects }],
        metadata,
        parts: partsOfComments(metadata.comments),
        ...defined({ captions: unlessEmpty(sourceCaptionsOf(metadata.additionalData?.subtitles, access)) }),
        unread: addUnread(unread, post.lists.unread.kinds()),
        notes: [
          ...post.lists.notes,
          ...profiles,
          ...missing.map(({ message }) => `The format of a sound is missing, so it cannot be rendered: ${message}`),
        ],
        incomplete: missing.length > 0 || (profiles.length > 0 && failure?.retryable === true),
        profile: strategy,
        ...(source.country === undefined ? {} : { country: source.country }),
      };
    },
  });
}

/** Returns the note on a video from the mobile page, which usually lists only one of its files. */
function profileNotes(
  { files, photos }: Post,
  used: ClientName,
  order: readonly string[],
  failure: MillraceError | undefined,
): readonly string[] {
  const [preferred] = clientNames;
  const [file, ...others] = files;
  if (used === preferred || !order.includes(preferred) || photos.length > 0 || file === undefined) return [];
  const isLower = others.length === 0;
  if (order[0] !== preferred) return [profileNote({ preferred, used, ...(isLower ? { quality: file.label } : {}) })];
  return isLower ? [profileNote({ preferred, used, quality: file.label, ...defined({ failure }) })] : [];
}

async function contentOf(
  { item, files, photos }: Post,
  access: MediaAccess,
  source: SourceClient,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<{ readonly content: ContentMedia; readonly missing: readonly MillraceError[] }> {
  const missing: MillraceError[] = [];
  const video = fields(item.video);
  const sounds = readSounds(item, fields(item.music), video);
  const withFormats = await Promise.all(
    sounds.map((sound) => withFormat(sound, access, source, lookup, signal, missing)),
  );
  const content = defined({
    videos: unlessEmpty(photos.length > 0 ? [] : videoMedia(files, count(video.duration) || undefined, access)),
    audios: unlessEmpty(withFormats.map((sound) => soundMedia(sound, access))),
    images: unlessEmpty(photos.length > 0 ? photoMedia(photos) : coverMedia(video)),
  });
  return { content, missing };
}

/**
 * Adds the format to a sound. If its link does not name it, reads the first bytes of the file.
 *
 * @param missing Receives why a format could not be read.
 */
async function withFormat(
  sound: Sound,
  access: MediaAccess,
  source: SourceClient,
  lookup: Lookup,
  signal: AbortSignal,
  missing: MillraceError[],
): Promise<Sound> {
  if (sound.format !== undefined) return sound;
  try {
    const response = await requestFirstBytes(source, lookup, sound.url, access.of(sound.url)?.headers);
    const isServed = response.status === 200 || response.status === 206;
    const format = isServed ? formatOfFile(response.text, response.headers['content-type']) : undefined;
    return { ...sound, ...defined({ format }) };
  } catch (error) {
    // The post is complete without the format. Only this sound cannot be rendered.
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    missing.push(error);
    return sound;
  }
}
