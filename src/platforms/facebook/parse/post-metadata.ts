import type { ContentMetadata } from '../../../contract/envelope.ts';
import { countMembers } from '../../../parsing/numbers.ts';
import { count, defined, dig, type Fields, fields, isoTime, list, text } from '../../../parsing/values.ts';
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
import { videoExtras } from './video-extras.ts';

const MAX_TITLE = 5000;

/** Returns the metadata of a post: everything on its page except the files. */
export function postMetadata(story: Copies, media: Copies, page: Page, records: Records): ContentMetadata {
  const message = readMessage([...story, ...media]);
  const feedback = feedbackCopies(story, media, records);
  const counts = readCounts(feedback, [...media, ...story.map((copy) => fields(copy.short_form_video_context))]);
  const cover = readPicture(page.properties.get('og:image'));
  const pictures = largestFirst([...readPictures(media), ...(cover === undefined ? [] : [cover])]);
  const shared = sharedStory(story, records);
  return defined({
    title: titleOf(story, media, page, message?.text),
    thumbnailUrl: pictures[0]?.url,
    author: readOwner(story, media, records),
    comments: readComments(feedback, records, counts.commentCount),
    additionalData: defined({
      ...playsOfPage(page),
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
      ...videoExtras(story, media),
      sharedPost: shared.length === 0 ? undefined : sharedPost(shared, records),
    }),
  });
}

function titleOf(story: Copies, media: Copies, page: Page, message: string | undefined): string | undefined {
  const title =
    pick(media, (copy) => text(dig(copy, 'title', 'text'))) ??
    message ??
    pick(story, (copy) => text(copy.seo_title)) ??
    pick(media, (copy) => text(copy.accessibility_caption)) ??
    titleOfPage(page);
  return title?.slice(0, MAX_TITLE);
}

/** Returns a reel's title from the title of its page, which is `453K views · 5.9K reactions | text | owner`. */
export function titleOfPage({ properties }: Page): string | undefined {
  const title = properties.get('og:title');
  const parts = title?.split(' | ') ?? [];
  return parts.length > 2 && /^\D*\d.*(?:views|reactions)/s.test(parts[0] ?? '')
    ? parts.slice(1, -1).join(' | ')
    : text(title);
}

/** Returns a reel's play count, rounded: "453K views". */
function playsOfPage({ properties }: Page) {
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
