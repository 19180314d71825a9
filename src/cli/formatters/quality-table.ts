import { codecsText } from '#client/codec-text.ts';
import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import { bareType, isPlaylistType } from '../../contract/media-types.ts';
import { sizeText } from '../../contract/size-text.ts';
import { fpsOf, isHdr, resolutionOf } from '../quality/video-properties.ts';
import { formatTable } from '../terminal/table.ts';

const kinds = { videos: 'video', audios: 'audio', images: 'image' } as const;

/** A column of the table. It is left out if all its cells are empty. */
interface Column {
  readonly title: string;
  cellOf(item: MediaItem, kind: string): string;
}

const columns: readonly Column[] = [
  { title: 'KIND', cellOf: (_, kind) => kind },
  { title: 'QUALITY', cellOf: ({ label }) => label },
  {
    title: 'RESOLUTION',
    cellOf: ({ metadata: { width, height } }) => (width > 0 && height > 0 ? `${width}x${height}` : ''),
  },
  { title: 'FPS', cellOf: (item, kind) => (kind === 'video' ? String(fpsOf(item) ?? '') : '') },
  { title: 'HDR', cellOf: (item) => (isHdr(item) ? 'HDR' : '') },
  { title: 'CODEC', cellOf: ({ metadata }) => codecsText(metadata) },
  { title: 'FORMAT', cellOf: ({ metadata }) => formatOf(metadata.mime_type) },
  {
    title: 'SIZE',
    cellOf: ({ metadata: { content_length: bytes } }) => (bytes === undefined ? '' : sizeText(bytes)),
  },
  {
    title: 'LANGUAGE',
    cellOf: ({ metadata: { language } }) => (typeof language === 'string' ? language : ''),
  },
  { title: 'AUDIO', cellOf: ({ metadata }, kind) => audioText(kind, metadata.has_audio) },
];

/** Formats the streams of a content item as a table: kind, quality, codec, size and so on. */
export function qualityTable(content: ExtractedContent): string {
  const items = (['videos', 'audios', 'images'] as const).flatMap((list) =>
    inOrder(content[list] ?? []).map((item) => ({ item, kind: kinds[list] })),
  );
  const cells = columns.map(({ title, cellOf }) => [title, ...items.map(({ item, kind }) => cellOf(item, kind))]);
  const filled = cells.filter(([, ...values]) => values.some((value) => value !== ''));
  return formatTable(
    [0, ...items.keys().map((index) => index + 1)].map((row) => filled.map((cell) => cell[row] ?? '')),
  );
}

/** Sorts videos by resolution and frame rate. The order of other streams is that of the platform. */
function inOrder(items: readonly MediaItem[]): readonly MediaItem[] {
  return items.toSorted((a, b) => (resolutionOf(b) ?? 0) - (resolutionOf(a) ?? 0) || (fpsOf(b) ?? 0) - (fpsOf(a) ?? 0));
}

function audioText(kind: string, hasAudio: boolean): string {
  if (kind !== 'video') return '';
  return hasAudio ? 'included' : 'added by get';
}

/** Returns the container of a media type: `mp4` for `video/mp4; codecs="avc1.64001f"`. */
function formatOf(type: string): string {
  const bare = bareType(type);
  return isPlaylistType(bare) ? 'hls' : bare.slice(bare.indexOf('/') + 1);
}
