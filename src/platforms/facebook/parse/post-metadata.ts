import type { ContentMetadata } from '../../../contract/envelope.ts';
import { countMembers } from '../../../parsing/numbers.ts';
import { count, defined, dig, type Fields, fields, isoTime, list, text } from '../../../parsing/values.ts';
import type { UnreadKinds } from '../../unread.ts';
import { readOwner } from './author.ts';
import { cleanLink } from './clean-link.ts';
import { readComments } from './comments.ts';
import { readCreationTime } from './creation-time.ts';
import { feedbackCopies, readCounts } from './feedback.ts';
import { sharedStory } from './find-story.ts';
import type { Page } from './page.ts';
import { largestFirst, readPicture, readPictures } from './pictures.ts';
import { readMessage } from './post-text.ts';
import { type Copies, pick, type Records } from './records.ts';
import { videoTitle } from './title.ts';
import { videoExtras } from './video-extras.ts';

const MAX_TITLE = 5000;

/**
 * Returns the metadata of a post: everything on its page except the files. Also returns its comments of unknown kinds.
 *
 * @param properties The `og:` properties of the page, if they describe this post.
 */
export function postMetadata(
  story: Copies,
  media: Copies,
  properties: Page['properties'],
  records: Records,
): ContentMetadata & { readonly unread: UnreadKinds } {
  const message = readMessage([...story, ...media]);
  const feedback = feedbackCopies(story, media, records);
  const counts = readCounts(feedback, [...media, ...story.map((copy) => fields(copy.short_form_video_context))]);
  const cover = readPicture(properties.get('og:image'));
  const pictures = largestFirst([...readPictures(media), ...(cover === undefined ? [] : [cover])]);
  const shared = sharedStory(story, records);
  const comments = readComments(feedback, records, counts.commentCount);
  return defined({
    unread: comments.unread,
    title: titleOf(story, media, properties, message?.text),
    thumbnailUrl: pictures[0]?.url,
    author: readOwner(story, media, records),
    comments: comments.comments,
    additionalData: defined({
      ...playsOfPage(properties),
      ...counts,
      postId: pick(story, (copy) => text(copy.post_id)),
      url: pick([...story, ...media], (copy) =>
        cleanLink(copy.permalink_url ?? copy.wwwURL ?? copy.shareable_url ?? copy.url),
      ),
      publishedAt: publishedAt(story, media, records),
      caption: message?.text,
      hashtags: message?.hashtags,
      mentions: message?.mentions,
      links: message?.links,
      privacy: pick(story, (copy) => text(dig(copy, 'privacy_scope', 'description'))),
      accessibilityCaption: pick(media, (copy) => text(copy.accessibility_caption)),
      ...videoExtras(story, media, records),
      sharedPost: shared.length === 0 ? undefined : sharedPost(shared, records),
    }),
  });
}

function titleOf(
  story: Copies,
  media: Copies,
  properties: Page['properties'],
  message: string | undefined,
): string | undefined {
  const title =
    videoTitle(media) ??
    message ??
    pick(story, (copy) => text(copy.seo_title)) ??
    pick(media, (copy) => text(copy.accessibility_caption)) ??
    titleOfPage(properties);
  return title?.slice(0, MAX_TITLE);
}

/** Returns a reel's title from the title of its page, which is `453K views · 5.9K reactions | text | owner`. */
export function titleOfPage(properties: Page['properties']): string | undefined {
  const title = properties.get('og:title');
  const parts = title?.split(' | ') ?? [];
  return parts.length > 2 && /^\D*\d.*(?:views|plays|reactions|comments|shares)/s.test(parts[0] ?? '')
    ? parts.slice(1, -1).join(' | ')
    : text(title);
}

/** Returns a reel's play count, rounded: "453K views". */
function playsOfPage(properties: Page['properties']) {
  return countMembers('playCount', /^[\d.,]+[KMB]? (?:views|plays)/.exec(properties.get('og:title') ?? '')?.[0]);
}

function publishedAt(story: Copies, media: Copies, records: Records): string | undefined {
  const seconds =
    readCreationTime([...story, ...media]) ??
    // Pages without IDs have the creation time in a separate section.
    pick(story.length === 0 ? records.loose.flatMap(metadataStories) : story.flatMap(metadataStories), (copy) =>
      count(copy.creation_time),
    );
  return isoTime(seconds);
}

function metadataStories(copy: Fields): Fields[] {
  const inner = dig(copy, 'attachments', 0, 'media', 'creation_story', 'comet_sections', 'metadata');
  return list(inner).map((entry) => fields(dig(entry, 'story')));
}

function sharedPost(shared: Copies, records: Records) {
  return defined({
    id: pick(shared, (copy) => text(copy.post_id)),
    url: pick(shared, (copy) => cleanLink(copy.permalink_url ?? copy.wwwURL ?? copy.url)),
    author: readOwner(shared, [], records),
    text: readMessage(shared)?.text,
  });
}
