import { dig, type Fields, fields, text } from '../../../parsing/values.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { addUnread } from '../../unread.ts';
import { carouselMedia } from './carousel.ts';
import { imageMedia, type PinMedia, videoContent } from './media.ts';
import { member } from './member.ts';
import { originalBySignature, type PictureVariant, pictureVariants } from './pictures.ts';
import { storyMedia } from './story.ts';
import { unreadMembers } from './unread-members.ts';
import { videoForms } from './videos.ts';

/**
 * Returns the media of a pin: one content item per story page, or else per carousel slot. Adds the pin's own video if
 * no page has it, and the main image in all its sizes at the end.
 */
export function pinMedia(pin: Fields): PinMedia {
  const main = mainPicture(pin);
  const parts = [storyMedia(pin, main), carouselMedia(pin)];
  const items = parts.flatMap(({ contents }) => contents).filter((content) => Object.keys(content).length > 0);
  const own = videoForms({ videos: pin.videos });
  const ownVideo = own.length > 0 && items.every(({ videos }) => videos === undefined) ? [videoContent(own, [])] : [];
  const images = main.map(imageMedia);
  const contents = [...items, ...ownVideo, ...(images.length > 0 ? [{ images }] : [])];
  // The pin's own video is omitted if a page has it, perhaps under another signature.
  const { videos, ...members } = pin;
  const remainder = own.length > 0 ? members : pin;
  return {
    contents,
    unread: addUnread(...parts.map(({ unread }) => unread), unreadMembers(remainder, contents, images.length > 0)),
  };
}

/** Returns the sizes of the pin's main image. For an animation, they include its file. */
export function mainPicture(pin: Fields): readonly PictureVariant[] {
  const sizes = pictureVariants(pin);
  const animation = animationOf(pin);
  const main = sizes.length > 0 ? sizes : (originalBySignature(member(pin, 'image_signature')) ?? []);
  const variants = [main].flat();
  if (animation === undefined || variants.some(({ url }) => url === animation)) return variants;
  return [{ name: 'gif', url: animation }, ...variants];
}

function animationOf(pin: Fields): string | undefined {
  const embed = fields(pin.embed);
  return (
    httpSiteUrl(dig(pin, 'gifs', 'realOriginal', 'url') ?? dig(pin, 'gifs', 'real_original', 'url')) ??
    (text(embed.type)?.toLowerCase() === 'gif' ? httpSiteUrl(embed.src) : undefined)
  );
}
