import { defined, dig, fields, flag, text, unlessEmpty } from '../../../parsing/values.ts';
import { recognise } from '../links.ts';
import { cleanLink } from './clean-link.ts';
import { readPictures } from './pictures.ts';
import { type Copies, pick, type Records } from './records.ts';

const pictureMembers = [
  'profilePicLarge',
  'profilePicMedium',
  'profilePicSmall',
  'profile_picture',
  'profilePicture',
  'displayPicture',
  'profile_picture_for_sticky_bar',
  'profile_picture_depth_0',
] as const;

/** Reads a person or page that published or is mentioned in other content. */
export function readActor(id: string | undefined, copies: Copies) {
  const url = pick(copies, (copy) => cleanLink(copy.url));
  return defined({
    id,
    name: pick(copies, ({ name }) => text(name)),
    handle: handleOf(url),
    url,
    thumbnails: unlessEmpty(readPictures(copies, pictureMembers)),
    verified: pick(copies, (copy) => flag(copy.is_verified) ?? flag(copy.show_verified_badge_on_profile)),
  });
}

/** Returns the name in a profile's address, or undefined if the address contains its number. */
export function handleOf(url: string | undefined): string | undefined {
  const link = url === undefined ? null : recognise(url);
  return link?.kind === 'profile' ? link.vanity : undefined;
}

/** Returns who published a post or a video. A copy with a name takes precedence over one with only an ID. */
export function readOwner(story: Copies, media: Copies, records: Records) {
  const owners = [
    ...story.map((copy) => dig(copy, 'actors', 0)),
    ...story.map((copy) => dig(copy, 'short_form_video_context', 'video_owner')),
    ...media.map(({ owner }) => owner),
    ...media.map((copy) => dig(copy, 'owner', 'owner_as_page')),
  ].map(fields);
  const id = pick(owners, (owner) => text(owner.id));
  const own = owners.filter((owner) => text(owner.id) === id);
  // The owner of a page's video may have no name. The video then names the page in another member.
  const hasName = [...own, ...records.copies(id)].some(({ name }) => text(name) !== undefined);
  const other = hasName ? undefined : owners.find(({ name }) => text(name) !== undefined);
  if (id === undefined && other === undefined) return undefined;
  return readActor(text(other?.id) ?? id, other === undefined ? [...own, ...records.copies(id)] : [other]);
}
