import type { Subjects } from '../../../contract/subjects.ts';
import { parseCount } from '../../../parsing/numbers.ts';
import { defined, dig, fields, flag, list, text, unlessEmpty } from '../../../parsing/values.ts';
import { addUnread, type UnreadKinds } from '../../unread.ts';
import { handleOf, readActor } from './author.ts';
import { cleanLink } from './clean-link.ts';
import { readIntro, unreadTiles } from './intro.ts';
import type { Page } from './page.ts';
import { readPicture } from './pictures.ts';
import { readProfileHead } from './profile-head.ts';
import { type Copies, pick, type Records } from './records.ts';
import { contentOperations } from './unread-content.ts';

/** The IDs of a profile: its own, and that of the classic page it replaced. */
export interface ProfileIds {
  readonly profileId: string;
  readonly pageId?: string;
}

/** Returns the IDs of the profile that a page is about, or undefined if the page is not about a profile. */
export function readProfileIds({ route, properties }: Page, records: Records): ProfileIds | undefined {
  const app = properties.get('al:android:url') ?? properties.get('al:ios:url') ?? '';
  // A group has a header of the same kind.
  if (app.startsWith('fb://group/')) return undefined;
  const linked = /^fb:\/\/(?:profile|page)\/(?:\?id=)?(\d{5,25})/.exec(app)?.[1];
  const header = pick(records.having('profile_header_renderer'), ({ id }) => text(id));
  const profileId = [route?.userId, header, linked].find((id) => id !== undefined && /^[1-9]\d*$/.test(id));
  if (profileId === undefined) return undefined;
  const pageId = pick(records.copies(profileId), (copy) => text(dig(copy, 'delegate_page', 'id')));
  return { profileId, ...(pageId === undefined ? {} : { pageId }) };
}

/**
 * Returns the subjects of a profile.
 *
 * @param handle Its name in addresses, as its page states it.
 */
export function subjectsOfProfile({ profileId, pageId }: ProfileIds, handle: string | undefined): Subjects {
  return { channels: [profileId, pageId, handle].filter((name) => name !== undefined) };
}

/** Reads a profile from its page, as `metadata.author`. */
export function readProfile({ profileId, pageId }: Partial<ProfileIds>, page: Page, records: Records) {
  const copies = records.copies(profileId);
  const head = readProfileHead(page);
  const url = pick(copies, (copy) => cleanLink(copy.url)) ?? head.url;
  const delegate = records.copies(pageId);
  const intro = readIntro(records);
  return defined({
    name: head.name,
    thumbnails: head.thumbnails,
    profileId,
    pageId,
    ...(profileId === undefined ? {} : readActor(profileId, copies)),
    url,
    handle: page.route?.vanity ?? pick(copies, (copy) => text(copy.username_for_profile)) ?? handleOf(url),
    alternateName: pick(copies, ({ alternate_name: name }) => text(name)),
    gender: pick(copies, ({ gender }) => text(gender)),
    ...intro,
    description:
      intro.description ?? pick(delegate, (copy) => text(dig(copy, 'best_description', 'text'))) ?? head.description,
    category: intro.category ?? pick(delegate, ({ category_name: name }) => text(name)),
    coverPhoto: pick(copies, (copy) => readPicture(dig(copy, 'cover_photo', 'photo', 'image'))),
    memorialized: pick(copies, (copy) => flag(copy.is_visibly_memorialized)),
    locked: pick(copies, (copy) =>
      flag(
        dig(copy, 'wem_private_sharing_bundle', 'private_sharing_control_model_for_user', 'private_sharing_enabled'),
      ),
    ),
    followerCount: head.followerCount,
    ...defined(socialCounts(copies)),
    ...exactCounts(head),
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

/** Returns the counts of which the head has the exact number and the header only a rounded one. */
function exactCounts({ likeCount, talkingAboutCount, checkinCount }: ReturnType<typeof readProfileHead>) {
  return defined({ likeCount, talkingAboutCount, checkinCount });
}

/** Counts the parts of a profile's page that have an unknown structure. */
export function unreadParts({ profileId }: Partial<ProfileIds>, page: Page, records: Records): UnreadKinds {
  const hasName = records.copies(profileId).some(({ name }) => text(name) !== undefined);
  const header = page.results.some(({ operation }) => operation === 'ProfileCometHeaderQuery');
  const unreadHeader = header ? { ProfileCometHeaderQuery: 1 } : contentOperations(page);
  return addUnread(unreadTiles(records), hasName ? {} : unreadHeader);
}

/** Returns whether a page has both the header and the introduction of a profile. A truncated page may lack them. */
export function hasProfileParts(records: Records): boolean {
  return ['profile_header_renderer', 'profile_tile_sections'].every((name) => records.having(name).length > 0);
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
