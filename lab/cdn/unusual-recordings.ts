import { moveFragments } from './move-fragments.ts';
import { lowerRate } from './sample-rates.ts';
import type { Unusual } from './unusual-file.ts';

/** What is paused, the recordings, after two seconds for five. */
const pause = { from: 2, seconds: 5 } as const;
/** Seconds after which the rate of `rates.aac` changes. */
const changes = 6;

/** Files below `/unusual/`, by name: recordings of browsers (MediaRecorder), fragments, and audio that changes. */
export const recordingFiles: Readonly<Record<string, Unusual>> = {
  'recorded.webm': {
    about: 'WebM of a browser: the segment and its clusters have no size, and there is neither a duration nor an index',
    source: 'recorded-180.webm',
    patch: (bytes) => eachCluster(bytes, forgetSize),
  },
  'paused.webm': {
    about: 'the same, paused after two seconds for five',
    source: 'recorded-180.webm',
    patch: (bytes) =>
      eachCluster(bytes, (cluster) => {
        forgetSize(cluster);
        pauseCluster(cluster);
      }),
  },
  'cut.webm': {
    about: 'the same, cut off within a cluster',
    source: 'recorded-180.webm',
    share: 0.7,
    patch: (bytes) => eachCluster(bytes, forgetSize),
  },
  'paused.mp4': {
    about: 'fragmented MP4 of a browser, paused after two seconds for five',
    source: 'recorded-180.mp4',
    patch: (bytes) => moveFragments(bytes, (seconds) => (seconds < pause.from ? 0 : pause.seconds)),
  },
  'cut.mp4': { about: 'the same, cut off within a fragment', source: 'recorded-180.mp4', share: 0.7 },
  'negative.mp4': {
    about: 'fragmented MP4 whose decoding times (tfdt) begin 6.5 ms before zero',
    source: 'fragments-180.mp4',
    patch: (bytes) => moveFragments(bytes, () => -0.0065),
  },
  'rates.aac': {
    about: 'ADTS whose sample rate changes from 48 to 44.1 kHz after six seconds',
    source: 'sound.aac',
    patch: (bytes) => lowerRate(bytes, changes),
  },
};

/** ID of a cluster of Matroska (RFC 9559 §5.1.3), and of its timestamp. */
const cluster = { id: 0x1f43_b675, timestamp: 0xe7 } as const;
/** Unknown size of an element, in as many bytes as FFmpeg takes for clusters of half a second (RFC 8794 §6.2). */
const unknownSize = 0x7fff;

/** Calls `change` with each cluster of a WebM file: its ID, its size of two bytes, its timestamp, its blocks. */
function eachCluster(bytes: Buffer, change: (cluster: Buffer) => void): void {
  for (let at = 0; at + 10 <= bytes.length; at += 1) {
    if (bytes.readUInt32BE(at) === cluster.id && bytes.readUInt8(at + 6) === cluster.timestamp) {
      change(bytes.subarray(at));
    }
  }
}

function forgetSize(cluster: Buffer): void {
  cluster.writeUInt16BE(unknownSize, 4);
}

/** Moves a cluster after the pause. Its timestamp is in milliseconds, after a size of one byte. */
function pauseCluster(cluster: Buffer): void {
  const size = cluster.readUInt8(7) & 0x7f;
  const time = cluster.readUIntBE(8, size);
  if (time >= pause.from * 1000) cluster.writeUIntBE(time + pause.seconds * 1000, 8, size);
}
