import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { Endpoint, Extraction, SourceContent } from '../../platform.ts';
import { openSession } from '../find/session.ts';
import { presentAccount } from '../parse/account.ts';
import { mediaContent } from '../parse/content.ts';
import type { Post } from '../parse/post.ts';
import { postFacts } from '../parse/post-metadata.ts';
import { refusalOf } from '../parse/refusal.ts';
import { readSound, readSoundPage, type SoundPage } from '../parse/sound.ts';
import type { InstagramRequests, OpenRequests } from '../requests.ts';
import { audioIdOf } from './parameters.ts';

/** Creates the endpoint for an audio track and the reels that use it. */
export function audioDetails(open: OpenRequests): Endpoint {
  return defineEndpoint({
    path: '/media/audio/details',
    summary: 'An audio track and the reels that use it',
    parameters: Type.Object({
      audioId: Type.String({
        description: 'Numeric ID of the audio track, or its link.',
        examples: ['1000000000000001'],
      }),
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    async extract({ audioId }, context) {
      return await extractAudio(audioIdOf(audioId), open(context), context.signal);
    },
  });
}

/**
 * Extracts an audio track. The site usually withholds the reels from signed-out visitors, but its page still names the
 * track.
 */
async function extractAudio(audioId: string, requests: InstagramRequests, signal: AbortSignal): Promise<Extraction> {
  const page = await requests.page(`/reels/audio/${audioId}/`);
  let refusal: MillraceError;
  try {
    return present(audioId, await requestReels(audioId, page, requests));
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    refusal = error;
  }
  const audio = readSoundPage(page.text);
  if (audio === undefined) {
    const pageRefusal = refusalOf(page, 'audio track');
    throw pageRefusal.code === 'not_found' ? pageRefusal : refusal;
  }
  return {
    contents: [],
    metadata: {
      additionalData: { id: audioId, source: 'page', audio: { id: audioId, ...audio } },
    },
    notes: [`The reels of this audio track are missing: ${refusal.message}`],
    incomplete: refusal.retryable,
  };
}

async function requestReels(
  audioId: string,
  page: Parameters<typeof openSession>[0],
  requests: InstagramRequests,
): Promise<SoundPage> {
  const session = await openSession(page, requests);
  const request = async (cursor: string) => {
    const response = await requests.music(audioId, cursor, session);
    const sound = response.status < 400 ? readSound(response.text) : undefined;
    if (sound !== undefined) return sound;
    const refusal = refusalOf(response, 'audio track');
    // Instead of the reels, this interface sends signed-out visitors a page or an error status.
    if (response.status === 429 || refusal.code === 'not_found') throw refusal;
    throw new MillraceError('signin_required', 'Instagram requires a signed-in user for the reels of an audio track.', {
      cause: refusal,
    });
  };
  const first = await request('');
  // The first page may be empty when the second is not.
  if (first.posts.length > 0 || first.cursor === undefined) return first;
  const second = await request(first.cursor);
  return { ...second, audio: { ...second.audio, ...first.audio } };
}

function present(audioId: string, { posts, audio }: SoundPage): Extraction {
  const parts = posts.map((post) => ({ post, ...contentOf(post) }));
  const notes = parts.flatMap(({ note }) => note ?? []);
  const title = [audio.artist, audio.title].filter((part) => typeof part === 'string').join(' | ');
  return {
    contents: parts.map(({ content }) => content),
    metadata: {
      ...(title === '' ? {} : { title }),
      ...(typeof audio.cover === 'string' ? { thumbnailUrl: audio.cover } : {}),
      additionalData: {
        id: audioId,
        source: 'api',
        audio,
        // In the same order as the contents.
        reels: parts.map(({ post }) => ({ ...postFacts(post), author: presentAccount(post.author) })),
      },
    },
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function contentOf(post: Post): { readonly content: SourceContent; readonly note?: string } {
  const [media] = post.media;
  return media === undefined ? { content: {} } : mediaContent(media);
}
