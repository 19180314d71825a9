import type { EndpointEntry } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { ExtractionResponse } from '#client/extraction.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import { videoCodecOf } from '../quality/codec-names.ts';
import { selectVideo } from '../quality/select-video.ts';
import type { GetContext } from './get-context.ts';
import { promptQuality } from './prompt-quality.ts';
import { formatsFor } from './quality.ts';

/** The quality in which to get a link. */
export interface SelectedQuality {
  /** `best`, `worst`, `audio`, `image`, `slideshow`, a label, or the text of a quality with conditions. */
  readonly quality: string;
  /** For a quality with conditions: the selected video of each item of `contents`; undefined for images. */
  readonly videos?: readonly (MediaItem | undefined)[];
}

/**
 * Returns the quality of the options, or the one that the person selects.
 *
 * @param fetchResult Fetches the result with all videos. It is called only for a quality with conditions or a prompt.
 * @throws CommandError if no video fulfils the conditions; errors of `fetchResult`.
 */
export async function selectQuality(
  fetchResult: () => Promise<ExtractionResponse>,
  { prompts, shape, terminal, signal, reporter }: GetContext,
): Promise<SelectedQuality> {
  const { quality, wishes } = shape;
  if (quality !== undefined && wishes !== undefined) {
    const { contents = [] } = await fetchResult();
    return {
      quality,
      videos: contents.map((content) =>
        content.videos === undefined ? undefined : selectVideo(content, wishes, quality),
      ),
    };
  }
  if (quality !== undefined) return { quality };
  if (!prompts) return { quality: 'best' };
  const result = await fetchResult();
  reporter.close();
  return { quality: await promptQuality(result, terminal, signal) };
}

/** Returns the request parameters for the videos of a quality. */
export function videoParametersFor(
  link: RecognisedLink,
  { quality, videos }: SelectedQuality,
): Readonly<Record<string, readonly string[] | string>> {
  const labels = videos?.flatMap((video) => video?.label ?? []) ?? [quality];
  const formats = [...new Set(labels.flatMap((label) => formatsFor(link, label)))];
  if (formats.length === 0) return {};
  const codecs = new Set(videos?.flatMap((video) => (video === undefined ? [] : [videoCodecOf(video.metadata)])));
  const [codec] = codecs;
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[link.platform];
  const isSelectable = Object.hasOwn(table[link.endpoint]?.optional ?? {}, 'videoCodec');
  return {
    renderableFormats: formats,
    ...(codecs.size === 1 && codec !== undefined && isSelectable ? { videoCodec: codec } : {}),
  };
}
