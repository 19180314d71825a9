import type { JobDescription } from '../contract/job.ts';
import { sizeText } from '../contract/job-status.ts';
import { representationOf } from '../contract/media-origin.ts';
import type { SourceMedia, SourceStream } from '../contract/source-media.ts';
import type { RenderableFile } from './selected-renderable.ts';

/** A media item that can be the input of a render. */
export interface RenderSource extends SourceMedia {
  readonly stream: SourceStream;
}

/** Returns the items of the given kinds that can be inputs of a render. */
export function sourcesOf(media: readonly SourceMedia[] = [], ...kinds: SourceStream['kind'][]): RenderSource[] {
  return media.filter(
    (entry): entry is RenderSource => entry.stream !== undefined && kinds.includes(entry.stream.kind),
  );
}

/** Returns the audio codec family of a stream; if the platform does not state it, the usual one of its container. */
export function audioCodecOf({ kind, ext, audioCodec }: SourceStream): string | undefined {
  if (kind === 'video') return undefined;
  return audioCodec ?? (['m4a', 'mp4', 'm3u8', 'aac'].includes(ext) ? 'aac' : undefined);
}

/** Returns the bytes of the sources: exact, estimated, and the certain minimum. */
export function sizeOf(sources: readonly RenderSource[]): { exact?: number; estimate?: number; minBytes: number } {
  const exact = sources.map(({ stream }) => stream.bytes);
  const estimates = sources.map(({ stream }) => stream.bytes ?? stream.estimatedBytes);
  return {
    ...(exact.every(isDefined) ? { exact: sum(exact) } : {}),
    ...(estimates.every(isDefined) ? { estimate: sum(estimates) } : {}),
    minBytes: sum(estimates),
  };
}

/** Returns the job that renders a file of some sources, and their representations. */
export function renderJobOf(
  sources: readonly RenderSource[],
  ext: string,
  operation: JobDescription['operation'],
): Pick<RenderableFile, 'job' | 'representations'> {
  return {
    job: { inputs: sources.map(inputOf), output: { ext }, operation },
    representations: sources.map(({ item, stream }) => representationOf(item, stream)),
  };
}

/** Returns the size and expiry of the sources, as far as they are known. */
export function sizeAndExpiryOf(
  sources: readonly RenderSource[],
): Pick<RenderableFile, 'estimatedBytes' | 'expiresAt'> {
  const { estimate } = sizeOf(sources);
  const expiries = sources.flatMap(({ stream }) => stream.expiresAt ?? []);
  return {
    ...(estimate === undefined ? {} : { estimatedBytes: estimate }),
    ...(expiries.length === 0 ? {} : { expiresAt: Math.min(...expiries) }),
  };
}

/** Returns the size members of a rendered file; none unless the size is exact. */
export function contentLengthMetadata(bytes: number | undefined): {
  content_length?: number;
  content_length_text?: string;
} {
  return bytes === undefined ? {} : { content_length: bytes, content_length_text: sizeText(bytes) };
}

/** Returns the input of a job that fetches a source. */
export function inputOf({ item, stream }: RenderSource): JobDescription['inputs'][number] {
  const { ext, headers, language } = stream;
  return {
    url: item.url,
    ext,
    ...(language === undefined ? {} : { language }),
    ...(headers === undefined ? {} : { requestOptions: { headers: { ...headers } } }),
  };
}

/** Compares streams by their sizes or bit rates; those of unknown size come last. */
export function compareSizes(a: SourceStream, b: SourceStream): number {
  const size = ({ bytes, estimatedBytes, bitrate }: SourceStream) =>
    bytes ?? estimatedBytes ?? bitrate ?? Number.MAX_VALUE;
  return size(a) - size(b);
}

function isDefined(bytes: number | undefined): bytes is number {
  return bytes !== undefined;
}

function sum(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
}
