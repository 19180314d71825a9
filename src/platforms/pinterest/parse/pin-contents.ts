import type { SourceMedia } from '../../../contract/source-media.ts';
import { defined, dig, type Fields, fields, httpUrl, list, text, unlessEmpty } from '../../../parsing/values.ts';
import type { SourceContent } from '../../platform.ts';
import { audioMedia, imageMedia, posterMedia, videoMedia } from './media.ts';
import { member } from './member.ts';
import { originalBySignature, type PictureVariant, pictureVariants, signatureIn } from './pictures.ts';
import { type VideoForm, videoForms } from './videos.ts';

/** Maximum number of pages and slots of one pin. The site allows 20 pages and 5 slots. */
const MAX_ITEMS = 100;
const MAX_BLOCKS = 30;

/**
 * Returns the media of a pin: one content item per story page, or else per carousel slot. Adds the pin's own video if
 * no page has it, and the main image in all its sizes at the end.
 */
export function pinContents(pin: Fields): readonly SourceContent[] {
  const main = mainPicture(pin);
  const items = [...storyPages(pin, main), ...carouselSlots(pin).map((slot) => slotContent(slot))];
  const contents = items.filter((content) => Object.keys(content).length > 0);
  const own = videoForms({ videos: pin.videos });
  if (own.length > 0 && contents.every(({ videos }) => videos === undefined)) contents.push(videoContent(own, []));
  const images = main.map(imageMedia);
  return images.length > 0 ? [...contents, { images }] : contents;
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

/**
 * Returns the slots of a carousel as the site sends them. The list was never recorded, so several formats are
 * supported.
 */
export function carouselSlots(pin: Fields): readonly Fields[] {
  const data = member(pin, 'carousel_data');
  const slots = Array.isArray(data) ? data : member(data, 'carousel_slots');
  return list(slots).slice(0, MAX_ITEMS).map(fields);
}

function animationOf(pin: Fields): string | undefined {
  const embed = fields(pin.embed);
  return (
    httpUrl(dig(pin, 'gifs', 'realOriginal', 'url') ?? dig(pin, 'gifs', 'real_original', 'url')) ??
    (text(embed.type)?.toLowerCase() === 'gif' ? httpUrl(embed.src) : undefined)
  );
}

function storyPages(pin: Fields, main: readonly PictureVariant[]): SourceContent[] {
  return list(member(pin, 'story_pin_data', 'pages'))
    .slice(0, MAX_ITEMS)
    .map((page) => storyPage(fields(page), main));
}

function storyPage(page: Fields, main: readonly PictureVariant[]): SourceContent {
  const blocks = list(page.blocks).slice(0, MAX_BLOCKS);
  const forms = videoForms(...blocks, { video: page.video });
  const music = blocks.flatMap((block) => audioMedia(member(block, 'audio', 'audio_url')) ?? []);
  const content =
    forms.length > 0 ? videoContent(forms, pictureVariants(page)) : imageContent(pagePicture(page, blocks, main));
  return { ...content, ...defined({ audios: unlessEmpty(music.slice(0, 1)) }) };
}

/** Returns a page's image. For a plain pin, which is stored as a one-page story, this is the main image. */
function pagePicture(
  page: Fields,
  blocks: readonly unknown[],
  main: readonly PictureVariant[],
): readonly PictureVariant[] {
  const block = blocks.find(isImageBlock);
  if (block === undefined) return pictureVariants(page);
  const own = [member(block, 'image'), member(block, 'image_data'), page]
    .map(pictureVariants)
    .find(({ length }) => length > 0);
  const signature =
    text(member(block, 'image_signature')) ?? text(member(page, 'image_signature')) ?? signatureIn(own?.[0]?.url ?? '');
  if (signature !== undefined && main.some(({ url }) => signatureIn(url) === signature)) return main;
  return own ?? [originalBySignature(signature) ?? []].flat();
}

function isImageBlock(block: unknown): boolean {
  const { type, __typename: name } = fields(block);
  return member(block, 'block_type') === 2 || type === 'story_pin_image_block' || name === 'StoryPinImageBlock';
}

function slotContent(slot: Fields): SourceContent {
  const sizes = pictureVariants(slot);
  const forms = videoForms({ videos: slot.videos });
  if (forms.length > 0) return videoContent(forms, sizes);
  const original = originalBySignature(signatureIn(sizes[0]?.url ?? ''));
  const complete = original === undefined || sizes.some(({ name }) => name === 'orig');
  return imageContent(complete ? sizes : [original, ...sizes]);
}

function imageContent(sizes: readonly PictureVariant[]): SourceContent {
  return defined({ images: unlessEmpty(sizes.map(imageMedia)) });
}

function videoContent(forms: readonly VideoForm[], sizes: readonly PictureVariant[]): SourceContent {
  const poster = forms.map(posterMedia).find((media) => media !== undefined);
  const images = [...(poster === undefined ? [] : [poster]), ...sizes.map(imageMedia)];
  return defined({ videos: unlessEmpty(uniquely(forms.map(videoMedia))), images: unlessEmpty(images) });
}

/** Adds numbers to media items that share a name. */
function uniquely(media: readonly SourceMedia[]): SourceMedia[] {
  const timesById = new Map<string, number>();
  return media.map((one) => {
    const { repId } = one.item;
    const times = (timesById.get(repId) ?? 0) + 1;
    timesById.set(repId, times);
    return times === 1 ? one : { ...one, item: { ...one.item, repId: `${repId}-${times}` } };
  });
}
