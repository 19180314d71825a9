import { imageExtensions, operations } from '../contract/job.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import type { ContentMedia } from '../platforms/platform.ts';
import { inputOf, sizeAndExpiryOf, sourcesOf } from './render-sources.ts';
import type { SelectedRenderable } from './selected-renderable.ts';

/** The format of `renderableFormats` for a video of the images and the sound of a post. */
export const slideshowFormat = 'slideshow';

/** Maximum number of images: the other input is the sound. */
const MAX_IMAGES = operations.slideshow.maxInputs - 1;

/** Maximum width and height of a slideshow in pixels. */
const MAX_SIDE = 1920;

/** Whether a content shows images, not a video with its thumbnails. */
export function hasImages({ videos, images }: ContentMedia): boolean {
  return videos === undefined && images !== undefined;
}

/**
 * Returns the slideshow of a post, for the content with its first image.
 *
 * @param severalImages Whether the images of one content are different images. Otherwise they are sizes of one.
 * @param sound The sound of the post, if it is not among the contents.
 * @returns An error if this content has no images; undefined if another one has the first.
 */
export function slideshowOf(
  contents: readonly ContentMedia[],
  index: number,
  severalImages: boolean,
  sound: SourceMedia | undefined,
): SelectedRenderable | undefined {
  const first = contents.findIndex(hasImages);
  if (first === -1) return { label: slideshowFormat, error: 'Unavailable: this post has no images.' };
  if (first !== index) return undefined;
  const listed = contents.filter(hasImages).flatMap(({ images = [] }) => (severalImages ? images : images.slice(0, 1)));
  // A story pin on p6 lists its main image as a page, too.
  const seen = new Set<string>();
  const images = listed.filter(({ item: { url } }) => !seen.has(url) && seen.add(url));
  if (images.length > MAX_IMAGES) {
    const error = `Unavailable: this post has ${images.length} images, but a slideshow can have ${MAX_IMAGES}.`;
    return { label: slideshowFormat, error };
  }
  // The audio of a video belongs to that video.
  const withoutVideos = contents.filter(({ videos }) => videos === undefined);
  const sounds = [...withoutVideos.flatMap(({ audios = [] }) => audios), ...(sound === undefined ? [] : [sound])];
  const [chosenSound] = sourcesOf(sounds, 'audio')
    .filter(({ stream }) => stream.audioCodec !== undefined)
    .toSorted((a, b) => Number(a.stream.secondary ?? false) - Number(b.stream.secondary ?? false));
  const expiries = images.flatMap(({ item }) => Date.parse(item.metadata.expires_at ?? '') || []);
  const soundFacts = chosenSound === undefined ? {} : sizeAndExpiryOf([chosenSound]);
  const expiresAt = Math.min(...expiries, soundFacts.expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    label: slideshowFormat,
    metadata: {
      mime_type: 'video/mp4',
      ...sizeOf(images),
      has_audio: chosenSound !== undefined,
    },
    job: {
      inputs: [...images.map(imageInput), ...(chosenSound === undefined ? [] : [inputOf(chosenSound)])],
      output: { ext: 'mp4' },
      operation: { type: 'slideshow' },
    },
    ...(Number.isFinite(expiresAt) ? { expiresAt } : {}),
  };
}

/** Returns the size of the video: that of the largest image within {@link MAX_SIDE}; zero if no size is known. */
function sizeOf(images: readonly SourceMedia[]): { readonly width: number; readonly height: number } {
  const sizes = images.map(({ item: { metadata } }) => ({ width: metadata.width, height: metadata.height }));
  const [largest = { width: 0, height: 0 }] = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const factor = Math.min(1, MAX_SIDE / Math.max(largest.width, largest.height, 1));
  const even = (length: number) => 2 * Math.round((length * factor) / 2);
  return { width: even(largest.width), height: even(largest.height) };
}

function imageInput({ item: { url, metadata } }: SourceMedia) {
  const [, type = ''] = /^image\/(\w{1,10})/.exec(metadata.mime_type) ?? [];
  return { url, ext: imageExtensions.find((ext) => ext === type) ?? 'jpg' };
}
