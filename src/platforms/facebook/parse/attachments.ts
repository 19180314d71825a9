import { dig, type Fields, fields, isFields, list, text } from '../../../parsing/values.ts';
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

/** Returns the photos and videos of a post, in order, each once. Excludes stickers and link previews. */
export function readAttachedMedia(story: Copies): AttachedMedia[] {
  const attachedMedia: AttachedMedia[] = [];
  const keys = new Set<unknown>();
  for (const attachment of story.flatMap(({ attachments }) => list(attachments))) {
    for (const media of mediaOf(attachment)) {
      const key = media.id ?? media.copy;
      if (attachedMedia.length < MAX_ATTACHED && !keys.has(key)) attachedMedia.push(media);
      keys.add(key);
    }
  }
  return attachedMedia;
}

/** Returns the media of an album's attachments, or else the attachment's own media. */
function mediaOf(attachment: unknown): AttachedMedia[] {
  const styled = dig(attachment, 'styles', 'attachment');
  const nodes = [attachment, styled].flatMap(subattachments);
  if (nodes.length > 0) return nodes.flatMap(ownMedia);
  return [styled, attachment].flatMap(ownMedia);
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
