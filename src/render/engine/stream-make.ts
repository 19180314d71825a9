import type { OutputContainer } from '../../contract/containers.ts';
import { hasParameterSets, parameterSets, startsWithCode } from './parameter-sets.ts';
import type { SourceStream } from './plan.ts';

/** How a stream is encoded: all that has to stay the same where one stream is copied behind another. */
export interface StreamMake {
  readonly source: SourceStream;
  /** Pixels; 0 for sound. */
  readonly width: number;
  readonly height: number;
  /** Hz and channels; 0 for pictures. */
  readonly sampleRate: number;
  readonly channels: number;
  /** What decoders are set up with; nothing where it stands in the packets alone. */
  readonly extradata: Buffer | null;
}

/** Codecs whose whole setup has to be the same: decoders get it from the head of the file alone. */
const setUpOnce = new Set(['av1', 'alac']);

/**
 * What keeps a stream from being copied behind another into a container, as a clause about the later stream; nothing
 * where players play both.
 */
export function difference(first: StreamMake, later: StreamMake, ext: OutputContainer): string | undefined {
  const { kind, codec } = later.source;
  const its = `its ${kind}`;
  if (codec !== first.source.codec) return `${its} is ${codec} instead of ${first.source.codec}`;
  const [size, firstSize] = [later, first].map(({ width, height }) => `${width}x${height}`);
  if (size !== firstSize) return `${its} is ${size} instead of ${firstSize}`;
  if (later.sampleRate !== first.sampleRate) {
    return `${its} is ${later.sampleRate} Hz instead of ${first.sampleRate} Hz`;
  }
  if (later.channels !== first.channels)
    return `${its} is ${later.channels}-channel instead of ${first.channels}-channel`;
  return sameSetup(first, later, ext) ? undefined : `its ${codec} ${kind} was encoded with other settings`;
}

function sameSetup(first: StreamMake, later: StreamMake, ext: OutputContainer): boolean {
  const { codec } = first.source;
  const [before, now] = [first.extradata, later.extradata];
  if (before === null || now === null || before.length === 0 || now.length === 0) return true;
  if (hasParameterSets(codec)) {
    // In MPEG-TS they stand before each picture that can be begun with, and players read them there.
    if (ext === 'ts' && startsWithCode(before) && startsWithCode(now)) return true;
    const known = parameterSets(codec, before);
    return [...parameterSets(codec, now)].every((set) => known.has(set));
  }
  // What follows the object type, rate and channels may be there or not (ISO/IEC 14496-3 §1.6.5).
  if (codec === 'aac') return before.subarray(0, 2).equals(now.subarray(0, 2));
  return !setUpOnce.has(codec) || before.equals(now);
}

/**
 * Finds each stream of a part among those of a later part: the same one of its kind, counted from the first. Of what only
 * travels along, the same one of its codec.
 *
 * @returns For each stream of the first list, the index of its counterpart in the second.
 */
export function pairStreams(
  first: readonly SourceStream[],
  later: readonly SourceStream[],
): readonly (number | undefined)[] {
  const names = first.map(numberedNames());
  const taken = later.map(numberedNames());
  return names.map((name) => {
    const at = name === undefined ? -1 : taken.indexOf(name);
    return later[at]?.index;
  });
}

/** Names streams by their kind and their number among those of the kind; those without a frame get no name. */
function numberedNames(): (source: SourceStream) => string | undefined {
  const counts = new Map<string, number>();
  return ({ kind, codec, cover, empty }) => {
    if (empty) return undefined;
    const name = kind === 'video' || kind === 'audio' ? `${kind} ${cover}` : `${kind} ${codec}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name} ${count}`;
  };
}
