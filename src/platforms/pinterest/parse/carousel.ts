import { type Fields, fields, isFields, list } from '../../../parsing/values.ts';
import type { ContentMedia } from '../../platform.ts';
import { addUnread, countKinds } from '../../unread.ts';
import { imageContent, type PinMedia, videoContent } from './media.ts';
import { member } from './member.ts';
import { originalBySignature, pictureVariants, signatureIn } from './pictures.ts';
import { entryKind } from './unread-members.ts';
import { videoForms } from './videos.ts';

/** Maximum number of slots that are read. The site allows 5. */
const MAX_SLOTS = 100;

/**
 * Returns the slots of a carousel as the site sends them. The list was never recorded, so several formats are
 * supported.
 */
export function carouselSlots(pin: Fields): readonly Fields[] {
  return list(slotList(pin)).slice(0, MAX_SLOTS).map(fields);
}

/** Returns the media of a carousel: one content item per slot. */
export function carouselMedia(pin: Fields): PinMedia {
  const slots = carouselSlots(pin);
  const contents = slots.map(slotContent);
  const unreadSlots = slots.filter((_, index) => Object.keys(contents[index] ?? {}).length === 0);
  const data = member(pin, 'carousel_data');
  const lacksSlots = isFields(data) && Object.keys(data).length > 0 && !Array.isArray(slotList(pin));
  return {
    contents,
    unread: addUnread(
      countKinds(unreadSlots.map((slot) => entryKind(slot, 'carousel_slot'))),
      lacksSlots ? { carousel_data: 1 } : undefined,
    ),
  };
}

function slotList(pin: Fields): unknown {
  const data = member(pin, 'carousel_data');
  return Array.isArray(data) ? data : member(data, 'carousel_slots');
}

function slotContent(slot: Fields): ContentMedia {
  const sizes = pictureVariants(slot);
  const forms = videoForms({ videos: slot.videos });
  if (forms.length > 0) return videoContent(forms, sizes);
  const original = originalBySignature(signatureIn(sizes[0]?.url ?? ''));
  const complete = original === undefined || sizes.some(({ name }) => name === 'orig');
  return imageContent(complete ? sizes : [original, ...sizes]);
}
