import type { ContentMetadata } from '../../../contract/envelope.ts';
import type { SourceContent } from '../../platform.ts';
import { type AttachedMedia, readAttachedMedia } from './attachments.ts';
import { findStory, mediaCopies, type PostTarget, sharedStory } from './find-story.ts';
import type { Page } from './page.ts';
import { pictureMedia, readPictures } from './pictures.ts';
import { postMetadata } from './post-metadata.ts';
import { readMessage } from './post-text.ts';
import type { Copies, Records } from './records.ts';
import { findObstacle, isForAdults } from './unavailable-video.ts';
import { videoContent } from './video.ts';

/** A post as its page displays it. */
export interface Post {
  readonly contents: readonly SourceContent[];
  readonly metadata: ContentMetadata;
}

/**
 * Reads the target post, photo or video. Returns undefined if the page is about something else.
 *
 * @throws MillraceError `age_restricted` or `unavailable` if the page states why guests get no file.
 */
export function readPost(target: PostTarget, page: Page, records: Records): Post | undefined {
  const story = findStory(target, page, records);
  const ownMedia = target.kind === 'post' ? [] : mediaCopies(target, records);
  if (story.length === 0 && ownMedia.length === 0) return undefined;
  const media = target.kind === 'post' ? mediaOf(story, records) : [{ kind: target.kind, copies: ownMedia }];
  const contents = media.flatMap(({ kind, copies }) => contentOf(kind, copies, records) ?? []);
  const obstacle =
    contents.length > 0
      ? undefined
      : media.map(({ copies }) => findObstacle(copies)).find((error) => error !== undefined);
  if (obstacle !== undefined) throw obstacle;
  const message = readMessage([...story, ...ownMedia]);
  // A page that only mentions a post (as a suggestion beside another one) does not count.
  if (contents.length === 0 && (target.kind !== 'post' || message === undefined)) return undefined;
  return {
    contents,
    metadata: postMetadata(
      story,
      media.flatMap(({ copies }) => copies),
      page,
      records,
    ),
  };
}

interface AttachedCopies {
  readonly kind: AttachedMedia['kind'];
  readonly copies: Copies;
}

/** Returns the media of a post, or those of the post that it shares if it has no media itself. */
function mediaOf(story: Copies, records: Records): AttachedCopies[] {
  const own = readAttachedMedia(story);
  const attachedMedia = own.length > 0 ? own : readAttachedMedia(sharedStory(story, records));
  return attachedMedia.map(({ kind, id, copy }) => ({
    kind,
    copies: [copy, ...records.copies(id).filter((other) => other !== copy)],
  }));
}

function contentOf(kind: AttachedMedia['kind'], copies: Copies, records: Records): SourceContent | undefined {
  // The site may list the files of an age-gated video, but guests must not get them.
  if (kind === 'video') return isForAdults(copies) ? undefined : videoContent(copies, records);
  const pictures = readPictures(copies);
  return pictures.length === 0 ? undefined : { images: pictureMedia(pictures) };
}
