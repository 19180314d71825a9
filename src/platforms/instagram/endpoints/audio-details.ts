import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { renderParameters } from '../../../contract/render-parameters.ts';
import type { Subjects } from '../../../contract/subjects.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import type { ContentMedia, Endpoint, Extraction, ExtractionContext, SourceResponse } from '../../platform.ts';
import { UnreadResponseError } from '../../unread.ts';
import { openSession } from '../find/session.ts';
import { presentAccount } from '../parse/account.ts';
import { mediaContent } from '../parse/content.ts';
import { partsOfMusic } from '../parse/music.ts';
import type { Post } from '../parse/post.ts';
import { postFacts } from '../parse/post-metadata.ts';
import { refusalOf, ThrottleError, unreadItem } from '../parse/refusal.ts';
import { readSound, readSoundPage, type SoundPage } from '../parse/sound.ts';
import type { InstagramRequests, OpenRequests } from '../requests.ts';
import { audioIdOf, postIds } from './parameters.ts';
import { matchesVariant, variantsParameter } from './post-details.ts';

/** Creates the endpoint for an audio track and the reels that use it. */
export function audioDetails(open: OpenRequests): Endpoint {
  return defineEndpoint({
    path: '/media/audio/details',
    summary: 'An audio track and the reels that use it',
    parameters: Type.Object({
      audioId: Type.String({
        description: 'Numeric ID of the audio track, or a link to it.',
        examples: ['1000000000000001'],
      }),
      renderableFormats: Type.Optional(variantsParameter),
      ...renderParameters,
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    renderables: { matches: matchesVariant, audio: false },
    strategies: audioStrategies,
    subjects: ({ audioId }) => ({ items: namedIn(audioIdOf, audioId) }),
    canonical: ({ audioId }) => ({ audioId: audioIdOf(audioId) }),
    async extract({ audioId }, context) {
      return await extractAudio(audioIdOf(audioId), open(context), context);
    },
  });
}

/** The sources of an audio track: the site's interface, which has the reels, and the track's page. */
const audioStrategies = ['api', 'page'] as const;

/**
 * Extracts an audio track. The site usually withholds the reels from signed-out visitors, but its page still names the
 * track.
 */
async function extractAudio(
  audioId: string,
  requests: InstagramRequests,
  { signal, strategy }: Pick<ExtractionContext, 'signal' | 'strategy'>,
): Promise<Extraction> {
  const page = await requests.page(`/reels/audio/${audioId}/`);
  let refusal: MillraceError | undefined;
  if (strategy !== 'page') {
    try {
      return present(audioId, await requestReels(audioId, page, requests));
    } catch (error) {
      // A response in an unknown format shows that the site has changed, which the page's few facts would hide.
      const isFinal = strategy === 'api' || error instanceof UnreadResponseError;
      if (!(error instanceof MillraceError) || signal.aborted || isFinal) throw error;
      refusal = error;
    }
  }
  const audio = readSoundPage(page.text);
  if (audio === undefined) {
    const pageRefusal = refusalOf(page, 'audio track');
    throw pageRefusal.code === 'not_found' ? pageRefusal : (refusal ?? pageRefusal);
  }
  return {
    contents: [],
    metadata: {
      additionalData: { id: audioId, source: 'page', audio: { id: audioId, ...audio } },
    },
    ...(refusal === undefined
      ? {}
      : {
          notes: [`The reels of this audio track are missing: ${refusal.message}`],
          incomplete: refusal.retryable,
        }),
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
    throw reelsRefusal(response);
  };
  const first = readable(await request(''));
  // The first page may be empty when the second is not.
  if (first.posts.length > 0 || first.cursor === undefined) return first;
  const second = readable(await request(first.cursor));
  return { ...second, audio: { ...second.audio, ...first.audio } };
}

/**
 * Returns the error for a response without the reels. The site reserves them for signed-in users, so that its login
 * page and the statuses 401 and 403 are final here, unless it says that it limits the rate.
 */
function reelsRefusal(response: SourceResponse): MillraceError {
  const refusal = refusalOf(response, 'audio track');
  const isThrottled = refusal instanceof ThrottleError;
  const isRefused = refusal.code === 'non_2xx_response' && [401, 403].includes(response.status) && !isThrottled;
  if (refusal.code !== 'signin_required' && !isRefused) return refusal;
  return new MillraceError('signin_required', 'Instagram requires a signed-in user for the reels of an audio track.', {
    cause: refusal,
  });
}

/** Rejects a page of which no reel could be read, unlike an empty page. */
function readable(page: SoundPage): SoundPage {
  if (page.posts.length === 0 && Object.keys(page.unread).length > 0) throw unreadItem('audio track', page.unread);
  return page;
}

function present(audioId: string, { posts, audio, unread }: SoundPage): Extraction {
  const parts = posts.map((post) => ({ post, ...contentOf(post) }));
  const notes = parts.flatMap(({ note }) => note ?? []);
  const title = [audio.artist, audio.title].filter((part) => typeof part === 'string').join(' | ');
  return {
    contents: parts.map(({ post, content }, index) => ({
      ...content,
      subjects: subjectsOfReel(post),
      details: [['additionalData', 'reels', index]],
    })),
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
    parts: [
      ...partsOfMusic(audio, ['additionalData', 'audio']),
      ...posts.flatMap(({ music }, index) => partsOfMusic(music, ['additionalData', 'reels', index, 'music'])),
    ],
    unread,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function contentOf({ media: [media] }: Post): { readonly content: ContentMedia; readonly note?: string } {
  return media === undefined ? { content: {} } : mediaContent(media);
}

/** Returns the subjects of one of the reels, which belong to different accounts. */
function subjectsOfReel({ id, code, author, coauthors }: Post): Subjects {
  const accounts = [author, ...coauthors];
  return {
    items: [...postIds(code), ...(id === undefined ? [] : [id])],
    channels: accounts.flatMap((account) => [
      ...(account.id === undefined ? [] : [account.id]),
      ...(account.username === undefined ? [] : [`@${account.username}`]),
    ]),
  };
}
