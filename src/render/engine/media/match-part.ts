import type { OutputContainer } from '../../../contract/containers.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/notes.ts';
import type { ProcessTask } from '../engine.ts';
import { type SourceStream, type Track, takesAllStreams } from '../plan.ts';
import { difference, pairStreams, type StreamMake } from '../stream-make.ts';
import type { OpenInput } from './open.ts';

/** What later parts of an input are held against. */
export interface FirstPart {
  readonly format: string;
  readonly makes: readonly StreamMake[];
  /** Indexes of the streams that are copied. */
  readonly copied: ReadonlySet<number>;
  /** Kinds of which the operation takes every stream, and whether it copies media of them. */
  readonly kinds: ReadonlyMap<SourceStream['kind'], 'copy' | 'encode'>;
  readonly ext: OutputContainer;
}

/** How the streams of a later part go on from those of the first. */
export interface MatchedPart {
  /** By the first part's stream: the index of its counterpart. */
  readonly pairs: readonly (number | undefined)[];
  readonly notes: readonly OutputNote[];
}

/** Notes down what the later parts of an input are held against, since the first one is closed before they are opened. */
export function describeFirst(
  input: OpenInput,
  tracks: readonly Track[],
  { operation, output }: Pick<ProcessTask, 'operation' | 'output'>,
): FirstPart {
  const used = tracks.flatMap(({ action, sources }) => {
    return sources.filter((source) => source.input === input.at).map((source) => ({ action, source }));
  });
  const copies = used.filter(({ action }) => action === 'copy').map(({ source }) => source);
  const all = takesAllStreams.has(operation.type);
  const cargo = all ? (['subtitle', 'data', 'attachment'] as const) : [];
  const kinds = new Map<SourceStream['kind'], 'copy' | 'encode'>(cargo.map((kind) => [kind, 'encode']));
  for (const kind of ['video', 'audio'] as const) {
    const copied = all ? operation.copyStreams : copies.some((source) => source.kind === kind && !source.cover);
    if (copied) kinds.set(kind, 'copy');
    else if (all || used.some(({ source }) => source.kind === kind)) kinds.set(kind, 'encode');
  }
  return {
    format: input.format,
    makes: makesOf(input),
    copied: new Set(copies.map(({ index }) => index)),
    kinds,
    ext: output.ext as OutputContainer,
  };
}

/**
 * Finds the streams of a later part that go on from those of the first.
 *
 * @throws MillraceError `incompatible_codecs` when a stream is to be copied and cannot be.
 */
export function matchPart(first: FirstPart, input: OpenInput): MatchedPart {
  const makes = makesOf(input);
  const pairs = pairStreams(
    first.makes.map(({ source }) => source),
    input.sources,
  );
  const found = obstacle(first, makes, pairs, input);
  if (found !== undefined) {
    throw new MillraceError(
      'incompatible_codecs',
      `${input.name} cannot be copied behind part 1: ${found}. Set copyStreams false to re-encode the parts into one.`,
    );
  }
  const extra = input.sources.filter(({ index, kind, empty }) => {
    return !empty && !pairs.includes(index) && first.kinds.has(kind);
  });
  return { pairs, notes: extra.map(leftOut) };
}

/** Why a part cannot be copied behind the first, as a clause. */
function obstacle(
  first: FirstPart,
  makes: readonly StreamMake[],
  pairs: readonly (number | undefined)[],
  { format }: OpenInput,
): string | undefined {
  for (const [kind, action] of first.kinds) {
    if (action === 'encode') continue;
    const [now, before] = [makes, first.makes].map((streams) => countOf(streams, kind));
    if (now !== before) return `it has ${now} ${kind} ${now === 1 ? 'stream' : 'streams'} instead of ${before}`;
  }
  if (first.copied.size > 0 && format !== first.format) {
    return `it is ${containerName(format)}, and part 1 is ${containerName(first.format)}`;
  }
  for (const [at, make] of first.makes.entries()) {
    const later = makes[pairs[at] ?? -1];
    if (later === undefined || !first.copied.has(make.source.index)) continue;
    const found = difference(make, later, first.ext);
    if (found !== undefined) return found;
  }
  return undefined;
}

function countOf(streams: readonly StreamMake[], wanted: SourceStream['kind']): number {
  return streams.filter(({ source: { kind, cover, empty } }) => kind === wanted && !cover && !empty).length;
}

function containerName(format: string): string {
  const names: Readonly<Record<string, string>> = { mpegts: 'MPEG-TS', 'mov,mp4,m4a,3gp,3g2,mj2': 'MP4' };
  return names[format] ?? format;
}

function isMedia(kind: SourceStream['kind']): boolean {
  return kind === 'video' || kind === 'audio';
}

function leftOut({ codec, kind, jobInput }: SourceStream): OutputNote {
  const message = `The ${codec} ${kind} in a later part of input ${jobInput + 1} was left out: part 1 has no such stream.`;
  return { code: 'stream_left_out', message, input: jobInput };
}

function makesOf({ streams, sources }: OpenInput): StreamMake[] {
  return sources.map((source, at) => {
    const parameters = streams[at]?.codecpar;
    if (parameters === undefined) throw new Error('a stream is described and not there');
    const { width, height, sampleRate, channels } = parameters;
    // That of an attachment is a whole file.
    const extradata = isMedia(source.kind) ? parameters.extradata : null;
    return { source, width, height, sampleRate, channels, extradata };
  });
}
