import type { JobDescription } from '../contract/job.ts';
import type { SourceMedia, SourceStream } from '../contract/source-media.ts';
import { sizeText } from '../contract/job-status.ts';
import type { RenderableFile } from './selected-renderable.ts';

/** A media item that can be the input of a render. */
export interface Source extends SourceMedia {
  readonly stream: SourceStream;
}

/** Returns the items of the given kinds that can be inputs of a render. */
export function sourcesOf(media: readonly SourceMedia[] = [], ...kinds: SourceStream['kind'][]): Source[] {
  return media.filter((entry): entry is Source => entry.stream !== undefined && kinds.includes(entry.stream.kind));
}

/** Returns the audio codec family of a stream; if the platform does not state it, the usual one of its container. */
export function soundCodec({ kind, ext, audioCodec }: SourceStream): string | undefined {
  if (kind === 'video') return undefined;
  return audioCodec ?? (['m4a', 'mp4', 'm3u8', 'aac'].includes(ext) ? 'aac' : undefined);
}

/** Returns the bytes of the sources: exact, estimated, and the certain minimum. */
export function sizeOf(sources: readonly Source[]): { exact?: number; estimated?: number; atLeast: number } {
  const exact = sources.map(({ stream }) => stream.bytes);
  const estimated = sources.map(({ stream }) => stream.bytes ?? stream.estimatedBytes);
  return {
    ...(exact.every(isKnown) ? { exact: sum(exact) } : {}),
    ...(estimated.every(isKnown) ? { estimated: sum(estimated) } : {}),
    atLeast: sum(estimated),
  };
}

/** Returns the job that renders a file of some sources. */
export function jobOf(
  sources: readonly Source[],
  ext: string,
  type: JobDescription['operation']['type'],
): RenderableFile['job'] {
  return { inputs: sources.map(inputOf), output: { ext }, operation: { type, copyStreams: true } };
}

/** Returns the size and expiry of the sources, as far as they are known. */
export function factsOf(sources: readonly Source[]): Pick<RenderableFile, 'estimatedBytes' | 'expiresAt'> {
  const { estimated } = sizeOf(sources);
  const expiries = sources.flatMap(({ stream }) => stream.expiresAt ?? []);
  return {
    ...(estimated === undefined ? {} : { estimatedBytes: estimated }),
    ...(expiries.length === 0 ? {} : { expiresAt: Math.min(...expiries) }),
  };
}

/** Returns the size members of a rendered file, only if the size is exact. */
export function contentLength(bytes: number | undefined): { content_length?: number; content_length_text?: string } {
  return bytes === undefined ? {} : { content_length: bytes, content_length_text: sizeText(bytes) };
}

function inputOf({ item, stream }: Source): JobDescription['inputs'][number] {
  const { ext, headers } = stream;
  return { url: item.url, ext, ...(headers === undefined ? {} : { requestOptions: { headers: { ...headers } } }) };
}

function isKnown(bytes: number | undefined): bytes is number {
  return bytes !== undefined;
}

function sum(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
}
