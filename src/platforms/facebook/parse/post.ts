import type { ContentMetadata } from '../../../contract/envelope.ts';
import type { SourceContent } from '../../platform.ts';
import { type Attached, readAttached } from './attachments.ts';
import { findStory, mediaCopies, type PostTarget, sharedStory } from './find-story.ts';
import type { Page } from './page.ts';
import { pictureMedia, readPictures } from './pictures.ts';
import { postMetadata } from './post-metadata.ts';
import { readMessage } from './post-text.ts';
import type { Copies, Records } from './records.ts';
import { findObstacle, isForAdults } from './unavailable-video.ts';
import { videoContent } from './video.ts';

/** A post as a page tells it. */
export interface Post {
  readonly contents: readonly SourceContent[];
  readonly metadata: ContentMetadata;
}

/**
 * Reads the post, photo or video that is asked for; undefined where the page is about others.
 *
 * @throws MillraceError `age_restricted` or `unavailable` where the page says why guests get no file.
 */
export function readPost(target: PostTarget, page: Page, records: Records): Post | undefined {
  const story = findStory(target, page, records);
  const media = target.kind === 'post' ? [] : mediaCopies(target, records);
  if (story.length === 0 && media.length === 0) return undefined;
  const attached = target.kind === 'post' ? attachedTo(story, records) : [{ kind: target.kind, copies: media }];
  const contents = attached.flatMap(({ kind, copies }) => contentOf(kind, copies, records) ?? []);
  const obstacle =
    contents.length > 0
      ? undefined
      : attached.map(({ copies }) => findObstacle(copies)).find((found) => found !== undefined);
  if (obstacle !== undefined) throw obstacle;
  const message = readMessage([...story, ...media]);
  // What a page says of a post without any of it (a suggestion beside another post) is no answer.
  if (contents.length === 0 && (target.kind !== 'post' || message === undefined)) return undefined;
  return {
    contents,
    metadata: postMetadata(
      story,
      attached.flatMap(({ copies }) => copies),
      page,
      records,
    ),
  };
}

interface AttachedCopies {
  readonly kind: Attached['kind'];
  readonly copies: Copies;
}

/** The media of a post; those of the post that it shares where it has none of its own. */
function attachedTo(story: Copies, records: Records): AttachedCopies[] {
  const own = readAttached(story);
  const attached = own.length > 0 ? own : readAttached(sharedStory(story, records));
  return attached.map(({ kind, id, copy }) => ({
    kind,
    copies: [copy, ...records.copies(id).filter((other) => other !== copy)],
  }));
}

function contentOf(kind: Attached['kind'], copies: Copies, records: Records): SourceContent | undefined {
  // The site may tell the files of a video that it asks an age for; they are not for guests all the same.
  if (kind === 'video') return isForAdults(copies) ? undefined : videoContent(copies, records);
  const pictures = readPictures(copies);
  return pictures.length === 0 ? undefined : { images: pictureMedia(pictures) };
}
