import { dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
import { countKinds, type UnreadKinds } from '../../unread.ts';
import { isVideo } from './delivery.ts';
import type { Copies } from './records.ts';

/** A photo or video of a post. */
export interface AttachedMedia {
  readonly id?: string;
  readonly kind: 'photo' | 'video';
  /** The copy of the photo or video within the post. */
  readonly copy: Fields;
}

/** Maximum number of photos and videos of one post. Guests see far fewer items of an album. */
const MAX_ATTACHED = 200;

/** Kinds of media that are not content: stickers, and the images of link previews. */
const decorations = new Set(['Sticker', 'GenericAttachmentMedia']);

/** Pattern of the styles that display media, such as `StoryAttachmentPhotoStyleRenderer`. */
const mediaStyle = /Photo|Video|Album|Reel|Carousel|Media|Image/i;

/** The photos and videos of a post, and its attachments of unknown kinds. */
export interface Attachments {
  readonly media: readonly AttachedMedia[];
  readonly unread: UnreadKinds;
}

/** Returns the photos and videos of a post, in order, each once. Excludes stickers and link previews. */
export function readAttachments(story: Copies): Attachments {
  const attachedMedia: AttachedMedia[] = [];
  const keys = new Set<unknown>();
  const unread = new Map<unknown, string>();
  for (const attachment of story.flatMap(({ attachments }) => list(attachments))) {
    for (const entry of entriesOf(attachment)) {
      const [media] = entry.copies.flatMap(ownMedia);
      const kind = media === undefined ? unknownKind(entry) : undefined;
      // The site repeats the attachments in several copies of the post.
      if (kind !== undefined) unread.set(text(dig(entry.copies[0], 'media', 'id')) ?? entry.copies[0], kind);
      if (media === undefined) continue;
      const key = media.id ?? media.copy;
      if (attachedMedia.length < MAX_ATTACHED && !keys.has(key)) attachedMedia.push(media);
      keys.add(key);
    }
  }
  const kinds = [...unread].filter(([id]) => !keys.has(id)).map(([, kind]) => kind);
  return { media: attachedMedia, unread: countKinds([...kinds, ...unreadStyles(story)]) };
}

/** Returns the styles of displayed albums whose items cannot be found, and of media without what they display. */
function unreadStyles(story: Copies): readonly string[] {
  const styles = story.flatMap(({ attachments }) => list(attachments)).flatMap((each) => unreadStyle(each) ?? []);
  return [...new Set(styles)];
}

function unreadStyle(attachment: unknown): string | undefined {
  const styled = dig(attachment, 'styles', 'attachment');
  const style = styleOf(attachment) ?? (isFields(dig(attachment, 'media')) ? listedStyleOf(attachment) : undefined);
  if (style === undefined) return undefined;
  if (/album/i.test(style)) {
    return [attachment, styled].some((copy) => subattachments(copy).length > 0) ? undefined : style;
  }
  return isFields(styled) || styleOf(attachment) === undefined || !mediaStyle.test(style) ? undefined : style;
}

/** Returns the style in which the page displays an attachment: `StoryAttachmentAlbumStyleRenderer`. */
function styleOf(attachment: unknown): string | undefined {
  return text(dig(attachment, 'styles', '__typename'));
}

/** Returns the styles of a post's attachments that display photos or videos, by their names in `style_list`. */
export function listedMediaStyles(story: Copies): readonly string[] {
  const attachments = story.flatMap((copy) => list(copy.attachments));
  const styles = new Set(attachments.flatMap((attachment) => listedStyleOf(attachment) ?? []));
  return [...styles].filter((style) => /^(?:album|photo|video|reel)/.test(style) && !style.includes('share'));
}

/** Returns the first of the styles that an attachment can have: `album`. */
function listedStyleOf(attachment: unknown): string | undefined {
  return text(dig(attachment, 'style_list', 0));
}

/** An item of an album, or an attachment of another kind. */
interface Entry {
  readonly copies: readonly unknown[];
  readonly isAlbumItem: boolean;
}

/** Returns the items of an album's attachment, or else the attachment itself. */
function entriesOf(attachment: unknown): readonly Entry[] {
  const styled = dig(attachment, 'styles', 'attachment');
  const nodes = [attachment, styled].flatMap(subattachments);
  if (nodes.length > 0) return nodes.map((node) => ({ copies: [node], isAlbumItem: true }));
  return [{ copies: [styled, attachment], isAlbumItem: false }];
}

/**
 * Returns the kind of an entry that has media of an unknown kind: the type of that media, or the style in which the page
 * displays it. Returns undefined for an entry without media, and for one of the partial copies that name no type.
 */
function unknownKind({ copies, isAlbumItem }: Entry): string | undefined {
  const type = copies.map((copy) => text(dig(copy, 'media', '__typename'))).find((name) => name !== undefined);
  if (type !== undefined) return decorations.has(type) ? undefined : type;
  if (isAlbumItem) return 'album item';
  const style = copies.map(styleOf).find((name) => name !== undefined);
  return style !== undefined && mediaStyle.test(style) && !/Album/.test(style) ? style : undefined;
}

/**
 * Returns the longest of `all_subattachments`, `subattachments` and `five_photos_subattachments`, which is the complete
 * list.
 */
function subattachments(attachment: unknown): readonly unknown[] {
  return Object.entries(fields(attachment))
    .filter(([name]) => name.endsWith('subattachments'))
    .map(([, value]) => list(dig(value, 'nodes') ?? value))
    .reduce((longest, nodes) => (nodes.length > longest.length ? nodes : longest), []);
}

function ownMedia(attachment: unknown): AttachedMedia[] {
  const media = dig(attachment, 'media');
  if (!isFields(media)) return [];
  const type = text(media.__typename);
  const id = text(media.id);
  const video = isVideo(media);
  const pictured = type === 'Photo' || (type === undefined && ('photo_image' in media || 'viewer_image' in media));
  if (!video && !pictured) return [];
  return [{ kind: video ? 'video' : 'photo', copy: media, ...(id === undefined ? {} : { id }) }];
}
