import { defined, type Fields, fields, flag, isFields, list, text, unlessEmpty } from '../../../parsing/values.ts';
import type { ContentMedia } from '../../platform.ts';
import { addUnread, countKinds, type UnreadKinds } from '../../unread.ts';
import { audioMedia, imageContent, type PinMedia, videoContent } from './media.ts';
import { filesIn } from './media-addresses.ts';
import { hasMember, member } from './member.ts';
import { originalBySignature, type PictureVariant, pictureVariants, signatureIn } from './pictures.ts';
import { entryKind } from './unread-members.ts';
import { videoForms } from './videos.ts';

/** Maximum number of pages and blocks that are read. The site allows 20 pages. */
const MAX_PAGES = 100;
const MAX_BLOCKS = 30;

/** Kinds of blocks without media: texts, and stickers, which link to products and other pins. */
const skippedKinds = /sticker|product|paragraph|heading|list|mention/i;

/** Returns the blocks of all pages of a pin's story. */
export function storyBlocks(pin: Fields): readonly Fields[] {
  return pagesOf(pin).flatMap((page) => blocksOf(page).map(fields));
}

/** Returns the media of a story: one content item per page. Pages of text alone have none. */
export function storyMedia(pin: Fields, main: readonly PictureVariant[]): PinMedia {
  const story = member(pin, 'story_pin_data');
  const pages = pagesOf(pin).map((page) => pageMedia(page, main));
  const lacksPages = isFields(story) && !Array.isArray(story.pages) && flag(member(story, 'is_deleted')) !== true;
  return {
    contents: pages.map(({ content }) => content),
    unread: addUnread(...pages.map(({ unread }) => unread), lacksPages ? { story_pin_data: 1 } : undefined),
  };
}

/** Returns whether a pin names a story, but the response has no member for it. */
export function lacksStory(pin: Fields): boolean {
  return text(member(pin, 'story_pin_data_id')) !== undefined && !hasMember(pin, 'story_pin_data');
}

function pagesOf(pin: Fields): readonly Fields[] {
  return list(member(pin, 'story_pin_data', 'pages'))
    .slice(0, MAX_PAGES)
    .map(fields);
}

function blocksOf(page: Fields): readonly unknown[] {
  return list(page.blocks)
    .slice(0, MAX_BLOCKS)
    .filter((block) => block !== null);
}

function pageMedia(
  page: Fields,
  main: readonly PictureVariant[],
): { readonly content: ContentMedia; readonly unread: UnreadKinds } {
  const blocks = blocksOf(page);
  const forms = videoForms(...blocks, { video: page.video });
  const picture = forms.length > 0 ? pictureVariants(page) : pagePicture(page, blocks, main);
  const music = blocks.flatMap((block) => audioMedia(member(block, 'audio', 'audio_url'), forms.length > 0) ?? []);
  const content = {
    ...(forms.length > 0 ? videoContent(forms, picture) : imageContent(picture)),
    ...defined({ audios: unlessEmpty(music.slice(0, 1)) }),
  };
  const unreadBlocks = blocks.filter((block) => {
    if (isImageBlock(block)) return picture.length === 0;
    if (isVideoBlock(block)) return forms.length === 0;
    return !isReadable(block);
  });
  const unread = countKinds(unreadBlocks.map((block) => entryKind(block, 'story_block')));
  const isUnread = unreadBlocks.length === 0 && (!Array.isArray(page.blocks) || lacksFiles(page, content));
  return { content, unread: isUnread ? { [entryKind(page, 'storypinpage')]: 1 } : unread };
}

/** Returns whether a page has videos or music that were not read. */
function lacksFiles(page: Fields, content: ContentMedia): boolean {
  return filesIn(page).difference(filesIn(content)).size > 0;
}

/** Returns whether a block other than an image or a video is known, or something in it could be read. */
function isReadable(block: unknown): boolean {
  const { text: words, type, __typename: name } = fields(block);
  if (text(words) !== undefined || videoForms(block).length > 0) return true;
  if (hasMember(block, 'audio') || member(block, 'block_type') === 5) return true;
  return [type, name].some((kind) => typeof kind === 'string' && skippedKinds.test(kind));
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

function isVideoBlock(block: unknown): boolean {
  const { type, __typename: name } = fields(block);
  return member(block, 'block_type') === 3 || type === 'story_pin_video_block' || name === 'StoryPinVideoBlock';
}
