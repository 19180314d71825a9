import { parseCount } from '../../../parsing/numbers.ts';
import { defined, dig, fields, flag, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { handleOf, readActor } from './author.ts';
import { cleanLink } from './clean-link.ts';
import { readIntro } from './intro.ts';
import type { Page } from './page.ts';
import { readPicture } from './pictures.ts';
import { type Copies, pick, type Records } from './records.ts';

/** The IDs of a profile: its own, and that of the classic page it replaced. */
export interface ProfileIds {
  readonly profileId: string;
  readonly pageId?: string;
}

/** Returns the IDs of the profile that a page is about, or undefined if the page is not about a profile. */
export function readProfileIds({ userId, properties }: Page, records: Records): ProfileIds | undefined {
  const linked = /^fb:\/\/(?:profile|page)\/(?:\?id=)?(\d{5,25})/.exec(properties.get('al:android:url') ?? '')?.[1];
  const header = pick(records.having('profile_header_renderer'), ({ id }) => text(id));
  const profileId = [userId, header, linked].find((id) => id !== undefined && /^[1-9]\d*$/.test(id));
  if (profileId === undefined) return undefined;
  const pageId = pick(records.copies(profileId), (copy) => text(dig(copy, 'delegate_page', 'id')));
  return { profileId, ...(pageId === undefined ? {} : { pageId }) };
}

/** Reads a profile from its page, as `metadata.author`. */
export function readProfile({ profileId, pageId }: ProfileIds, page: Page, records: Records) {
  const copies = records.copies(profileId);
  const url = pick(copies, (copy) => cleanLink(copy.url)) ?? cleanLink(page.canonical);
  const delegate = records.copies(pageId);
  const intro = readIntro(records);
  return defined({
    profileId,
    pageId,
    ...readActor(profileId, copies),
    url,
    handle: page.vanity ?? pick(copies, (copy) => text(copy.username_for_profile)) ?? handleOf(url),
    alternateName: pick(copies, ({ alternate_name: name }) => text(name)),
    gender: pick(copies, ({ gender }) => text(gender)),
    ...intro,
    description: intro.description ?? pick(delegate, (copy) => text(dig(copy, 'best_description', 'text'))),
    category: intro.category ?? pick(delegate, ({ category_name: name }) => text(name)),
    coverPhoto: pick(copies, (copy) => readPicture(dig(copy, 'cover_photo', 'photo', 'image'))),
    memorialized: pick(copies, (copy) => flag(copy.is_visibly_memorialized)),
    locked: pick(copies, (copy) =>
      flag(
        dig(copy, 'wem_private_sharing_bundle', 'private_sharing_control_model_for_user', 'private_sharing_enabled'),
      ),
    ),
    ...socialCounts(copies),
    ...pageCounts(page),
    tabs: pick(copies, readTabs),
  });
}

/** Returns rounded counts from the header, such as "28M followers" and "52 following". */
function socialCounts(copies: Copies) {
  const words = copies
    .flatMap((copy) => list(dig(copy, 'profile_social_context', 'content')))
    .flatMap((entry) => text(dig(entry, 'text', 'text')) ?? []);
  const match = (unit: RegExp) => words.find((word) => unit.test(word));
  const texts = {
    followerCountText: match(/follower/i),
    followingCountText: match(/following/i),
    likeCountText: match(/\blikes?\b/i),
    friendCountText: match(/\bfriends?\b/i),
  };
  return {
    followerCount: parseCount(texts.followerCountText),
    followingCount: parseCount(texts.followingCountText),
    likeCount: parseCount(texts.likeCountText),
    friendCount: parseCount(texts.friendCountText),
    ...texts,
  };
}

/**
 * Returns the exact counts, which only the page's description contains: "28,660,812 likes · 78,461 talking about this".
 */
function pageCounts({ properties }: Page) {
  const description = properties.get('og:description') ?? '';
  const match = (pattern: RegExp) => parseCount(pattern.exec(description)?.[1]);
  const exact = {
    likeCount: match(/(?<![\d,])([\d,]{1,20}) likes?\b/),
    talkingAboutCount: match(/(?<![\d,])([\d,]{1,20}) talking about this/),
  };
  return { ...defined(exact), ...defined({ checkinCount: match(/(?<![\d,])([\d,]{1,20}) were here/) }) };
}

function readTabs(copy: object) {
  const edges = list(dig(copy, 'profile_tabs', 'profile_user', 'timeline_nav_app_sections', 'edges')).slice(0, 50);
  return unlessEmpty(
    edges.flatMap((edge) => {
      const node = fields(dig(edge, 'node'));
      const name = text(node.name);
      return name === undefined ? [] : [defined({ name, key: text(node.tab_key), url: cleanLink(node.url) })];
    }),
  );
}
