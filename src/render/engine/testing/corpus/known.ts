import type { OutputContainer } from '../../../../contract/containers.ts';

/** Faulty copies that are accepted for now, and why. */
export interface KnownFault {
  /** Names of members. */
  readonly members: readonly string[];
  readonly into: readonly OutputContainer[];
  /** What the copy's faults begin with. */
  readonly fault: string;
  readonly reason: string;
}

const named = (sources: readonly string[], what: string) => sources.map((source) => `${source}: ${what}`);

/** Each must occur in the long run, so that fixed faults are removed from this list. */
export const knownFaults: readonly KnownFault[] = [
  {
    members: ['h264', 'hevc'].flatMap((codec) => named(['mpeg', 'vob'], codec)),
    into: ['mkv'],
    fault: 'processing_failed',
    reason: 'The muxer put several frames into a packet with one timestamp, so the others have none.',
  },
  {
    members: ['caf: flac'],
    into: ['mp4', 'mkv', 'ogg', 'flac'],
    fault: 'processing_failed',
    reason: 'The demuxer does not deliver the stream header that every FLAC container needs.',
  },
  {
    members: named(['mp4', 'mkv', 'mov', 'flv', 'fragmented mp4'], 'aac 7.1'),
    into: ['ts', 'aac'],
    fault: 'processing_failed',
    reason: 'FFmpeg’s own encoder describes these channels in the stream (PCE), which the ADTS muxer does not support.',
  },
  {
    members: ['ogg: vorbis at 11.025 kHz'],
    into: ['mkv', 'webm'],
    fault: 'input_incomplete',
    reason:
      'More audio is trimmed at the end than the last packet holds, for which the Ogg demuxer computes a huge duration.',
  },
  { members: ['ogg: vorbis at 11.025 kHz'], into: ['mp4'], fault: 'processing_failed', reason: 'The same.' },
  {
    members: named(['flv'], 'opus of one packet').concat('flv: flac of one packet'),
    into: ['mp4'],
    fault: 'its last packet lasts no time',
    reason: 'FLV does not store packet durations, and there is no second packet to derive one from.',
  },
  {
    members: ['flv: flac at 192 kHz'],
    into: ['ogg'],
    fault: 'packet 1 is shown at another time',
    reason: 'The same: Ogg derives timestamps from packet durations, and that of the first is not known yet.',
  },
  {
    members: named(['mkv', 'webm'], 'vp9 at uneven times'),
    into: ['mp4'],
    fault: 'it ends',
    reason: 'The MP4 demuxer replaces the durations of VP9 packets by a guess from the frame rate.',
  },
  {
    members: ['can-autoplay.mp4'],
    into: ['ts'],
    fault: 'result_unproven',
    reason: 'Two packets of AAC are too few for the MPEG-TS demuxer, which takes them for MP2.',
  },
];
