import { dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import type { PostTarget } from '../links.ts';
import { hasDelivery } from './delivery.ts';
import type { Page } from './page.ts';
import { isAbout, leadsTo } from './page-subject.ts';
import { type Copies, pick, type Records } from './records.ts';

/** Returns the copies of the target video or photo. Reduced pages have media without an ID. */
export function mediaCopies({ id, kind }: PostTarget, records: Records): Copies {
  const copies = records.copies(id);
  const hasMedia = copies.some(hasDelivery);
  if (kind === 'photo' || hasMedia) return kind === 'video' ? [...copies, ...records.loose] : copies;
  const unnamed = records.having('videoDeliveryResponseFragment').filter((copy) => text(copy.id) === undefined);
  return unnamed.length === 1 ? [...copies, ...unnamed, ...records.loose] : copies;
}

/** Returns the copies of the target story, or of the story that the target video or photo was published with. */
export function findStory(target: PostTarget, page: Page, records: Records): Copies {
  const stories = ['post_id', 'attachments', 'short_form_video_context', 'actors'].flatMap((name) =>
    records.having(name),
  );
  const own =
    target.kind === 'post'
      ? stories.filter((story) => isCalled(story, target.id))
      : storiesWith(target.id, stories, records);
  const id = pick(own, (story) => text(story.id));
  if (id !== undefined) return [...records.copies(id), ...records.loose];
  if (own.length > 0) return own;
  return target.kind === 'post' ? rootStory(target.id, page, records) : [];
}

function isCalled(story: Fields, id: string): boolean {
  const links = [story.url, story.wwwURL, story.permalink_url].filter((link) => typeof link === 'string');
  return story.post_id === id || links.some((link) => leadsTo(link, id));
}

function storiesWith(id: string, stories: Copies, records: Records): Copies {
  const creation = records
    .copies(id)
    .flatMap(({ creation_story: story, container_story: container }) => [story, container]);
  const direct = stories.filter((story) =>
    [
      dig(story, 'video', 'id'),
      dig(story, 'short_form_video_context', 'video', 'id'),
      dig(story, 'attachments', 0, 'media', 'id'),
    ].includes(id),
  );
  return [...creation.filter(isFields), ...direct];
}

/**
 * Returns the story that a page displays as its main content. An opaque name is not compared with the page's address,
 * because opaque names differ between visitors.
 */
function rootStory(id: string, page: Page, { roots, copies, loose }: Records): Copies {
  const opaque = id.startsWith('pfbid');
  if (!opaque && !isAbout({ id }, page)) return [];
  const stories = roots.map(({ data }) => fields(data.node_v2 ?? data.node ?? data.story));
  const root = stories.find(
    (story) => text(story.id) !== undefined && ('comet_sections' in story || 'attachments' in story),
  );
  return root === undefined ? [] : [...copies(text(root.id)), ...loose];
}

/** Returns the post that a post shares. */
export function sharedStory(story: Copies, records: Records): Copies {
  const shared = pick(story, ({ attached_story: inner }) => (isFields(inner) ? inner : undefined));
  return shared === undefined ? [] : [shared, ...records.copies(text(shared.id))];
}
