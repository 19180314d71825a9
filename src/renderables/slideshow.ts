import { imageExtensions, operations } from '../contract/job.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import type { SourceContent } from '../platforms/platform.ts';
import { inputOf, sizeAndExpiryOf, sourcesOf } from './render-sources.ts';
import type { SelectedRenderable } from './selected-renderable.ts';

/** The format of `renderableFormats` for a video of the images and the sound of a post. */
export const slideshowFormat = 'slideshow';

/** Maximum number of images: the other input is the sound. */
const MAX_IMAGES = operations.slideshow.maxInputs - 1;

/** Whether a content shows images, not a video with its thumbnails. */
export function hasImages({ videos, images }: SourceContent): boolean {
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
  contents: readonly SourceContent[],
  index: number,
  severalImages: boolean,
  sound: SourceMedia | undefined,
): SelectedRenderable | undefined {
  const first = contents.findIndex(hasImages);
  if (first === -1) return { label: slideshowFormat, error: 'Unavailable: this post has no images.' };
  if (first !== index) return undefined;
  const images = contents.filter(hasImages).flatMap(({ images = [] }) => (severalImages ? images : images.slice(0, 1)));
  if (images.length > MAX_IMAGES) {
    const error = `Unavailable: this post has ${images.length} images, but a slideshow can have ${MAX_IMAGES}.`;
    return { label: slideshowFormat, error };
  }
  const sounds = [...contents.flatMap(({ audios = [] }) => audios), ...(sound === undefined ? [] : [sound])];
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
      width: images[0]?.item.metadata.width ?? 0,
      height: images[0]?.item.metadata.height ?? 0,
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

function imageInput({ item: { url, metadata } }: SourceMedia) {
  const [, type = ''] = /^image\/(\w{1,10})/.exec(metadata.mime_type) ?? [];
  return { url, ext: imageExtensions.find((ext) => ext === type) ?? 'jpg' };
}
