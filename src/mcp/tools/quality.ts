import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import { cutText, toolLimits } from '../limits.ts';

/** A file that the source offers for one item. */
const mediaSchema = Type.Object({
  label: Type.String(),
  format: Type.Optional(Type.String({ description: 'Value of format with which render makes a file of it.' })),
  width: Type.Optional(Type.Number()),
  height: Type.Optional(Type.Number()),
  mimeType: Type.String(),
  bytes: Type.Optional(Type.Integer({ description: 'Size at the source, without sound if that is separate.' })),
  url: Type.Optional(
    Type.String({ description: 'Temporary link. Only images have one: render makes all other files.' }),
  ),
});

const mediaList = Type.Optional(Type.Array(mediaSchema, { maxItems: toolLimits.qualities }));

/** The files that the source offers for one item of a post, in short form. */
export const contentSchema = Type.Object({ videos: mediaList, audios: mediaList, images: mediaList });

/**
 * Returns the short form of an item: each quality once, without links to video and audio.
 *
 * @param formats Schema of the formats that the endpoint can render; absent if it renders nothing.
 */
export function shortContent(
  { videos = [], audios = [], images = [] }: ExtractedContent,
  formats: TSchema | undefined,
): Type.Static<typeof contentSchema> {
  return {
    ...listOf('videos', distinct(videos), (item) => ({ ...shortMedia(item), ...formatOf(item.label, formats) })),
    ...listOf('audios', distinct(audios), shortMedia),
    // The images of a video are sizes of its cover.
    ...listOf('images', videos.length > 0 ? [] : images, (item) => ({
      ...shortMedia(item),
      ...(isShort(item.url) ? { url: item.url } : {}),
    })),
  };
}

function listOf<Name extends string, Short>(
  name: Name,
  items: readonly MediaItem[],
  shorten: (item: MediaItem) => Short,
): { [N in Name]?: Short[] } {
  const list = items.slice(0, toolLimits.qualities).map(shorten);
  // The cast is safe: the object has this only member.
  return (list.length === 0 ? {} : { [name]: list }) as { [N in Name]?: Short[] };
}

function shortMedia({ label, metadata }: MediaItem): Type.Static<typeof mediaSchema> {
  const { width, height, mime_type: mimeType, content_length: bytes } = metadata;
  return {
    label: cutText(label, toolLimits.title),
    ...(width > 0 && height > 0 ? { width, height } : {}),
    mimeType: cutText(mimeType, toolLimits.title),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

/** Returns the first item with each label. The others have another codec. */
function distinct(items: readonly MediaItem[]): readonly MediaItem[] {
  return [...new Map(items.toReversed().map((item) => [item.label, item])).values()].toReversed();
}

function isShort(url: string): boolean {
  return url.length <= toolLimits.resultLink;
}

/** Returns the format that selects a label: the label itself, or its height, such as 720 or 720p for `hls-720`. */
function formatOf(label: string, formats: TSchema | undefined): { readonly format?: string } {
  const [, height] = /^(?:hls-|http-)?(\d{2,4})p?$/.exec(label) ?? [];
  const spellings = height === undefined ? [label] : [label, height, `${height}p`];
  const format = formats === undefined ? undefined : spellings.find((spelling) => Check(formats, spelling));
  return format === undefined ? {} : { format };
}
