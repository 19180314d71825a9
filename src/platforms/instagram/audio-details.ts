import { MillraceError } from '../../contract/errors.ts';
import type { Extraction, ExtractionContext, SourceContent } from '../platform.ts';
import { mediaContent } from './content.ts';
import { presentAccount } from './parse/account.ts';
import type { Post } from './parse/post.ts';
import { refusalOf } from './parse/refusal.ts';
import { readSound, readSoundPage, type SoundPage } from './parse/sound.ts';
import { postFacts } from './post-metadata.ts';
import type { InstagramRequests } from './requests.ts';
import { openSession } from './session.ts';

/**
 * A sound and the reels that use it. The site mostly keeps the reels from signed-out visitors; then its page still
 * tells which sound it is.
 *
 * @throws MillraceError with the code that says why there is no answer.
 */
export async function audioDetails(
  audioId: string,
  requests: InstagramRequests,
  { signal }: ExtractionContext,
): Promise<Extraction> {
  let refusal: MillraceError;
  const page = await requests.page(`/reels/audio/${audioId}/`);
  try {
    return present(audioId, await askInterface(audioId, page, requests));
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    refusal = error;
  }
  const audio = readSoundPage(page.text);
  if (audio === undefined) {
    const told = refusalOf(page, 'sound');
    throw told.code === 'not_found' ? told : refusal;
  }
  return {
    contents: [],
    metadata: {
      additionalData: { id: audioId, source: 'page', audio: { id: audioId, ...audio } },
    },
    notes: [`The reels of this sound are missing: ${refusal.message}`],
    incomplete: refusal.retryable,
  };
}

async function askInterface(
  audioId: string,
  page: Parameters<typeof openSession>[0],
  requests: InstagramRequests,
): Promise<SoundPage> {
  const session = await openSession(page, requests);
  const ask = async (cursor: string) => {
    const answer = await requests.music(audioId, cursor, session);
    const sound = answer.status < 400 ? readSound(answer.text) : undefined;
    if (sound !== undefined) return sound;
    const refused = refusalOf(answer, 'sound');
    // This interface answers signed-out visitors with a page, or with a status of refusal.
    if (answer.status === 429 || refused.code === 'not_found') throw refused;
    throw new MillraceError('signin_required', 'Instagram shows the reels of a sound to signed-in users.', {
      cause: refused,
    });
  };
  const first = await ask('');
  // The first page may be empty where the second is not.
  if (first.posts.length > 0 || first.cursor === undefined) return first;
  const second = await ask(first.cursor);
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
        // In the order of the contents.
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
