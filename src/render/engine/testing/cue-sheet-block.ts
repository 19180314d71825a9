import { latin1, u64 } from '../mp4/box-writer.ts';

/** A track of a cue sheet for tests. */
interface CueSheetTrack {
  readonly number: number;
  /** Offset of the track in samples. */
  readonly offset: number;
  readonly isrc?: string;
  readonly isAudio?: boolean;
  /** Offsets of the index points from the track's, in samples, by their numbers. */
  readonly points?: Readonly<Record<number, number>>;
}

/** Builds the contents of the cue sheet block of a FLAC file (RFC 9639 §8.7). */
export function cueSheetBlock(tracks: readonly CueSheetTrack[]): Buffer {
  const encoded = tracks.flatMap(({ number, offset, isrc = '', isAudio = true, points = { 1: 0 } }) => {
    const entries = Object.entries(points);
    return [
      ...[u64(offset), Buffer.of(number), latin1(isrc.padEnd(12, '\0')), Buffer.of(isAudio ? 0 : 0x80)],
      ...[Buffer.alloc(13), Buffer.of(entries.length)],
      ...entries.flatMap(([point, at]) => [u64(at), Buffer.of(Number(point), 0, 0, 0)]),
    ];
  });
  return Buffer.concat([Buffer.alloc(395), Buffer.of(tracks.length), ...encoded]);
}
