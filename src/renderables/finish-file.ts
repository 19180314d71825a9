import { type OutputContainer, outputContainers } from '../contract/containers.ts';
import type { JobDescription } from '../contract/job.ts';
import { isLossy } from './choose-audio-formats.ts';
import type { RenderOptions } from './render-options.ts';
import type { RenderableFile, SelectedRenderable } from './selected-renderable.ts';

/** Bytes and fraction that the index and the tags of a copy may add to the streams. */
const copyMargin = { bytes: 65_536, fraction: 0.05 } as const;

/** What is written into a file beside its streams. */
export type FileAdditions = Pick<JobDescription['output'], 'metadata' | 'cover' | 'chapters' | 'subtitles'>;

/**
 * Adds to a file what its caller requests beside its streams: a clip, tags, chapters, a cover, subtitles and a maximum
 * size. A file that needs no processing otherwise is then copied into a new one. A file that is certain to be smaller
 * than the maximum size is not encoded.
 *
 * @param audioFormat The value of `renderableAudios` that the file is for, if it is for one.
 */
export function finishFile(
  item: SelectedRenderable,
  { clip, maxSize }: RenderOptions,
  { subtitles, ...additions }: FileAdditions,
  audioFormat?: string,
): SelectedRenderable {
  if ('error' in item) return item;
  const { job, metadata, ...facts } = item;
  const isAudio = outputContainers[job.output.ext as OutputContainer].audioOnly;
  const ownAdditions = { ...additions, ...(isAudio || subtitles === undefined ? {} : { subtitles }) };
  const isLimited = audioFormat === undefined || isLossy(audioFormat);
  const limit = isLimited && !(clip === undefined && isSmaller(item, maxSize, ownAdditions)) ? maxSize : undefined;
  if (clip === undefined && limit === undefined && Object.keys(ownAdditions).length === 0) return item;
  const type = job.operation.type === 'no_process' ? 'convert_format' : job.operation.type;
  return {
    ...facts,
    // A copy with tags has nearly the size of its streams, as the copy of separate video and audio does.
    metadata: clip === undefined && limit === undefined ? metadata : withoutSize(metadata),
    job: {
      ...job,
      output: { ...job.output, ...ownAdditions, ...(limit === undefined ? {} : { maxSize: limit }) },
      operation: { ...job.operation, type, ...(limit === undefined ? {} : { copyStreams: false }) },
      ...(clip === undefined ? {} : { clip }),
    },
  };
}

/** Returns whether a copy is certain to be smaller than a size. The size of a cover is unknown. */
function isSmaller({ job, metadata }: RenderableFile, maxSize = 0, { cover }: FileAdditions): boolean {
  const { content_length: bytes } = metadata;
  if (bytes === undefined || cover !== undefined || job.operation.copyStreams === false) return false;
  return bytes * (1 + copyMargin.fraction) + copyMargin.bytes <= maxSize;
}

function withoutSize(metadata: RenderableFile['metadata']): RenderableFile['metadata'] {
  const { content_length: _bytes, content_length_text: _text, ...others } = metadata;
  return others;
}
