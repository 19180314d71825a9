import type { OutputContainer } from '../../../contract/containers.ts';
import { isSameSetup } from '../formats/decoder-setup.ts';
import { isSameOrientation, type Orientation } from '../formats/orientation.ts';
import type { SourceStream } from './source-stream.ts';

/** Encoding of a stream: everything that must be the same to copy one stream after another. */
export interface StreamFormat {
  readonly source: SourceStream;
  /** Width and height in pixels; 0 for audio. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Sample rate in Hz and number of channels; 0 for video. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Decoder setup; null if it is only in the packets. */
  readonly extradata: Buffer | null;
}

/**
 * Returns why a stream cannot be copied after another into a container, as a clause about the later stream; undefined
 * if players play both.
 */
export function formatDifference(first: StreamFormat, later: StreamFormat, ext: OutputContainer): string | undefined {
  const { kind, codec } = later.source;
  const its = `its ${kind}`;
  if (codec !== first.source.codec) return `${its} is ${codec} instead of ${first.source.codec}`;
  const [size, firstSize] = [later, first].map(({ width, height }) => `${width}x${height}`);
  if (size !== firstSize) return `${its} is ${size} instead of ${firstSize}`;
  if (!isSameOrientation(first.orientation, later.orientation)) return `${its} has another rotation`;
  if (later.sampleRate !== first.sampleRate) {
    return `${its} is ${later.sampleRate} Hz instead of ${first.sampleRate} Hz`;
  }
  if (later.channels !== first.channels)
    return `${its} is ${later.channels}-channel instead of ${first.channels}-channel`;
  return isSameSetup(codec, first.extradata, later.extradata, ext)
    ? undefined
    : `its ${codec} ${kind} was encoded with other settings`;
}

/**
 * Finds the counterpart of each stream of a part in a later part: the stream with the same number among those of its
 * kind. Streams other than video and audio must also have the same codec.
 *
 * @returns For each stream of the first list, the index of its counterpart in the second.
 */
export function pairStreams(
  first: readonly SourceStream[],
  later: readonly SourceStream[],
): readonly (number | undefined)[] {
  const names = first.map(createNumberedNames());
  const laterNames = later.map(createNumberedNames());
  return names.map((name) => {
    const at = name === undefined ? -1 : laterNames.indexOf(name);
    return later[at]?.index;
  });
}

/**
 * Returns a function that names streams by their kind and their number among the streams of that kind. Streams without
 * a frame have no name.
 */
function createNumberedNames(): (source: SourceStream) => string | undefined {
  const counts = new Map<string, number>();
  return ({ kind, codec, cover, empty }) => {
    if (empty) return undefined;
    const name = kind === 'video' || kind === 'audio' ? `${kind} ${cover}` : `${kind} ${codec}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name} ${count}`;
  };
}
