import type { PacketTrack } from './read-packets.ts';

type Packets = Pick<PacketTrack, 'packets'>;

/** Returns the presentation times of the packets of a track, in ascending order. */
export function startsOf({ packets }: Packets): number[] {
  return packets.map(({ time }) => time).toSorted((a, b) => a - b);
}

/** Returns the seconds between the starts of consecutive packets. */
export function stepsOf(track: Packets): number[] {
  const starts = startsOf(track);
  return starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
}

/** Returns the longest time between two consecutive packets. */
export function largestGap(track: Packets): number {
  return Math.max(...stepsOf(track));
}

/** Returns the end of the last packet of a track. */
export function endOf({ packets }: Packets): number {
  return Math.max(...packets.map(({ time, duration }) => time + duration));
}

/** Returns the track of a kind. */
export function trackOf(tracks: readonly PacketTrack[], kindOrHash: string): PacketTrack {
  const track = tracks.find(({ kind }) => kind === kindOrHash);
  if (track === undefined) throw new Error(`there is no ${kindOrHash} track`);
  return track;
}

/**
 * Returns the seconds from the first video frame of each part to a fixed moment in its audio, in a result whose parts
 * are all copies of `part`, in the same container. Packets are recognised by their contents.
 */
export function audioOffsets(result: readonly PacketTrack[], part: readonly PacketTrack[]): number[] {
  const pictures = timesIn(trackOf(result, 'video'), trackOf(part, 'video').packets[0]?.hash);
  const hashes = trackOf(part, 'audio').packets.map(({ hash }) => hash);
  const sound = hashes.find((hash, at) => at > hashes.length / 2 && hashes.indexOf(hash) === hashes.lastIndexOf(hash));
  const sounds = timesIn(trackOf(result, 'audio'), sound);
  if (sounds.length !== pictures.length)
    throw new Error(`${pictures.length} video frames, but ${sounds.length} audio packets`);
  return pictures.map((picture, at) => (sounds[at] ?? 0) - picture);
}

function timesIn({ packets }: Packets, kindOrHash: string | undefined): number[] {
  return packets.filter(({ hash }) => hash === kindOrHash).map(({ time }) => time);
}
