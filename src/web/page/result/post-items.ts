import type { ExtractedContent, MediaItem, RecognisedLink } from '#client/index.ts';
import { isPlaylist } from '../qualities/codecs.ts';

/** An image or video of a post. */
export interface PostItem {
  readonly content: ExtractedContent;
  readonly kind: 'picture' | 'video';
  /** Position in the post, from 1. */
  readonly position: number;
  /** Address of an image for the grid. */
  readonly previewUrl: string | undefined;
  /** The best file; undefined for a video that has to be rendered first. */
  readonly file: MediaItem | undefined;
}

const PREVIEW_WIDTH = 480;

/** Lists the images and videos of a post. */
export function postItemsOf(contents: readonly ExtractedContent[]): readonly PostItem[] {
  return contents.map((content, index) => {
    const { videos = [], images = [] } = content;
    const sizes = images.toSorted((a, b) => a.metadata.width - b.metadata.width);
    const previewUrl = (sizes.find(({ metadata }) => metadata.width >= PREVIEW_WIDTH) ?? sizes.at(-1))?.url;
    const position = index + 1;
    if (videos.length === 0) return { content, kind: 'picture', position, previewUrl, file: largest(images) };
    const withAudio = videos.filter(({ metadata }) => metadata.has_audio && !isPlaylist(metadata));
    const silent = videos.every(({ metadata }) => !metadata.has_audio && !isPlaylist(metadata));
    return {
      content,
      kind: 'video',
      position,
      previewUrl,
      file: largest(withAudio) ?? (silent ? largest(videos) : undefined),
    };
  });
}

/**
 * Returns the photos of a TikTok post, each as its own content item. There, the images of an item without a video are
 * its photos; on other platforms, they are sizes of one image. Returns an empty list for other items.
 */
export function photosOf(
  platform: RecognisedLink['platform'],
  { videos = [], audios = [], images = [] }: ExtractedContent,
): readonly ExtractedContent[] {
  const single = images.length === 1 && audios.length === 0;
  return platform !== 'p4' || videos.length > 0 || single ? [] : images.map((image) => ({ images: [image] }));
}

/** Returns the name of an item in an archive. */
export function fileName({ kind, position, file }: PostItem): string {
  const extension = /\.(\w{1,5})$/.exec(new URL(file?.url ?? '', location.href).pathname)?.[1] ?? 'bin';
  return `${String(position).padStart(2, '0')} ${kind}.${extension}`;
}

function largest(items: readonly MediaItem[]): MediaItem | undefined {
  const pixels = ({ metadata: { width, height } }: MediaItem) => width * height;
  return items.toSorted((a, b) => pixels(b) - pixels(a))[0];
}
