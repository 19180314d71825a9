import type { ExtractedContent } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import { sizeText } from '../../contract/size-text.ts';
import { formatTable } from '../terminal/table.ts';

const kinds = { videos: 'video', audios: 'audio', images: 'image' } as const;

/** Formats the streams of a content item as a table: kind, quality, pixels, size, codecs, audio. */
export function qualityTable(content: ExtractedContent): string {
  const rows = (['videos', 'audios', 'images'] as const).flatMap((list) =>
    (content[list] ?? []).map((item) => rowOf(kinds[list], item)),
  );
  return formatTable([['KIND', 'QUALITY', 'RESOLUTION', 'SIZE', 'FORMAT', 'AUDIO'], ...rows]);
}

function rowOf(kind: string, { label, metadata }: MediaItem): string[] {
  const { width, height, content_length: bytes, has_audio: sound } = metadata;
  return [
    kind,
    label,
    width > 0 && height > 0 ? `${width}x${height}` : '',
    bytes === undefined ? '' : sizeText(bytes),
    formatOf(metadata.mime_type),
    kind === 'image' ? '' : audioText(kind, sound),
  ];
}

function audioText(kind: string, sound: boolean): string {
  if (kind === 'audio') return 'audio only';
  return sound ? 'with audio' : 'no audio';
}

/** Formats `video/mp4; codecs="avc1.64001f"` as `mp4 avc1.64001f`. */
function formatOf(type: string): string {
  const [, container = type, codecs = ''] = /^\w+\/([^;]+)(?:;\s*codecs="?([^"]*)"?)?/.exec(type) ?? [];
  return `${container.trim()} ${codecs}`.trim();
}
