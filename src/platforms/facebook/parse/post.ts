import type { ContentMetadata } from '../../../contract/envelope.ts';
import type { ContentMedia, SourceContent } from '../../platform.ts';
import { addUnread, countKinds, type UnreadKinds } from '../../unread.ts';
import type { PostTarget } from '../links.ts';
import { type AttachedMedia, type Attachments, listedMediaStyles, readAttachments } from './attachments.ts';
import { isVideo } from './delivery.ts';
import { findStory, mediaCopies, sharedStory } from './find-story.ts';
import type { Page } from './page.ts';
import { isAbout, propertiesAbout } from './page-subject.ts';
import { pictureMedia, readPictures } from './pictures.ts';
import { postMetadata } from './post-metadata.ts';
import { subjectsOfMedia } from './post-subjects.ts';
import { readMessage } from './post-text.ts';
import type { Copies, Records } from './records.ts';
import { findObstacle, isForAdults } from './unavailable-video.ts';
import { contentOperations, unreadError, unreadPage } from './unread-content.ts';
import { videoContent } from './video.ts';
import { videoExtraNames } from './video-extras.ts';

const noAttachments: Attachments = { media: [], unread: {} };

/** A post as its page displays it. */
export interface Post {
  readonly contents: readonly SourceContent[];
  readonly metadata: ContentMetadata;
  /** Attachments and comments of unknown kinds. */
  readonly unread: UnreadKinds;
}

/**
 * Reads the target post, photo or video. Returns undefined if the page is about something else.
 *
 * @throws MillraceError `age_restricted` or `unavailable` if the page states why guests get no file.
 * @throws UnreadResponseError if the page is about the target, but has it in an unknown structure.
 */
export function readPost(target: PostTarget, page: Page, records: Records): Post | undefined {
  const story = findStory(target, page, records);
  const ownMedia = target.kind === 'post' ? [] : mediaCopies(target, records);
  if (story.length === 0 && ownMedia.length === 0) return absent(target, page);
  const attachments = target.kind === 'post' ? attachmentsOf(story, records) : noAttachments;
  const media = target.kind === 'post' ? mediaOf(attachments, records) : [{ kind: target.kind, copies: ownMedia }];
  const { contents, unread: unreadMedia } = readContents(media, records);
  const message = readMessage([...story, ...ownMedia]);
  // A page that only mentions a post (as a suggestion beside another one) does not count.
  if (contents.length === 0 && (target.kind !== 'post' || message === undefined)) return absent(target, page);
  if (contents.length === 0) expectNoMedia(story, addUnread(attachments.unread, unreadMedia));
  const isKnown = target.kind !== 'video' || story.length > 0 || ownMedia.some(isVideo);
  const { unread, ...metadata } = postMetadata(
    story,
    media.flatMap(({ copies }) => copies),
    propertiesAbout(target, page),
    records,
  );
  return {
    contents,
    metadata,
    unread: addUnread(attachments.unread, unreadMedia, unread, isKnown ? {} : contentOperations(page)),
  };
}

/**
 * Returns the content of each photo and video, and counts those without files for no stated reason.
 *
 * @throws MillraceError the stated reason, if there is no content at all.
 */
function readContents(media: readonly AttachedCopies[], records: Records) {
  const read = media.map(({ kind, copies }) => ({ kind, copies, content: contentOf(kind, copies, records) }));
  const contents = read.flatMap(({ content }) => content ?? []);
  const missing = read
    .filter(({ content }) => content === undefined)
    .map(({ kind, copies }) => ({ kind, obstacle: findObstacle(copies) }));
  const obstacle = missing.map((each) => each.obstacle).find((error) => error !== undefined);
  if (contents.length === 0 && obstacle !== undefined) throw obstacle;
  const unexplained = missing.filter((each) => each.obstacle === undefined);
  return { contents, unread: countKinds(unexplained.map(({ kind }) => `${kind}.files`)) };
}

/** Handles a page without the target, which is an error if the page names the target as its subject. */
function absent(target: PostTarget, page: Page): undefined {
  const error = isAbout(target, page) ? unreadPage(page) : undefined;
  if (error !== undefined) throw error;
  return undefined;
}

/** Checks that a post without media is one: the site lists no attachment, not even one of an unknown kind. */
function expectNoMedia(story: Copies, unread: UnreadKinds): void {
  if (Object.keys(unread).length > 0) throw unreadError(unread);
  const styles = listedMediaStyles(story);
  if (styles.length > 0) throw unreadError(countKinds(styles));
  const hasList = story.some(({ attachments }) => Array.isArray(attachments));
  if (!hasList) throw unreadError({ 'post without attachments': 1 });
}

interface AttachedCopies {
  readonly kind: AttachedMedia['kind'];
  readonly copies: Copies;
}

/** Returns the attachments of a post, or those of the post that it shares if it has no media itself. */
function attachmentsOf(story: Copies, records: Records): Attachments {
  const own = readAttachments(story);
  if (own.media.length > 0) return own;
  const shared = readAttachments(sharedStory(story, records));
  return { media: shared.media, unread: addUnread(own.unread, shared.unread) };
}

function mediaOf({ media }: Attachments, records: Records): AttachedCopies[] {
  return media.map(({ kind, id, copy }) => ({
    kind,
    copies: [copy, ...records.copies(id).filter((other) => other !== copy)],
  }));
}

function contentOf(kind: AttachedMedia['kind'], copies: Copies, records: Records): SourceContent | undefined {
  const content = kind === 'video' ? filesOf(copies, records) : picturesOf(copies);
  if (content === undefined) return undefined;
  // The metadata of an album states the facts of its video.
  const details = kind === 'video' ? { details: videoExtraNames.map((name) => ['additionalData', name]) } : {};
  return { ...content, subjects: subjectsOfMedia(copies), ...details };
}

function filesOf(copies: Copies, records: Records): ContentMedia | undefined {
  // The site may list the files of an age-gated video, but guests must not get them.
  return isForAdults(copies) ? undefined : videoContent(copies, records);
}

function picturesOf(copies: Copies): ContentMedia | undefined {
  const pictures = readPictures(copies);
  return pictures.length === 0 ? undefined : { images: pictureMedia(pictures) };
}
