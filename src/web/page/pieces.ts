import type { ExtractedContent, MediaItem } from '#client/index.ts';
import { isPlaylist } from './codecs.ts';

/** One of the pictures and videos of a post, as it is shown in a grid and saved. */
export interface Piece {
  readonly content: ExtractedContent;
  readonly kind: 'picture' | 'video';
  /** From 1. */
  readonly place: number;
  /** Address of a picture that is large enough to be looked at. */
  readonly shown: string | undefined;
  /** The best file; none where a video has to be put together first. */
  readonly file: MediaItem | undefined;
}

const SHOWN_WIDTH = 480;

/** The pieces of a post. */
export function piecesOf(contents: readonly ExtractedContent[]): readonly Piece[] {
  return contents.map((content, index) => {
    const { videos = [], images = [] } = content;
    const sizes = images.toSorted((a, b) => a.metadata.width - b.metadata.width);
    const shown = (sizes.find(({ metadata }) => metadata.width >= SHOWN_WIDTH) ?? sizes.at(-1))?.url;
    const place = index + 1;
    if (videos.length === 0) return { content, kind: 'picture', place, shown, file: largest(images) };
    const whole = videos.filter(({ metadata }) => metadata.has_audio && !isPlaylist(metadata));
    const silent = videos.every(({ metadata }) => !metadata.has_audio && !isPlaylist(metadata));
    return { content, kind: 'video', place, shown, file: largest(whole) ?? (silent ? largest(videos) : undefined) };
  });
}

/** What a piece is saved as, within an archive. */
export function fileName({ kind, place, file }: Piece): string {
  const extension = /\.(\w{1,5})$/.exec(new URL(file?.url ?? '', location.href).pathname)?.[1] ?? 'bin';
  return `${String(place).padStart(2, '0')} ${kind}.${extension}`;
}

function largest(items: readonly MediaItem[]): MediaItem | undefined {
  const pixels = ({ metadata: { width, height } }: MediaItem) => width * height;
  return items.toSorted((a, b) => pixels(b) - pixels(a))[0];
}
