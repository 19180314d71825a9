import { describeJob } from '../test/support/http-client.ts';
import { labFile } from '../test/support/lab-client.ts';

/** A kind of job, and the expected properties of its result. */
interface JobKind {
  readonly operation: { readonly type: string; readonly copyStreams?: boolean };
  readonly files: readonly string[];
  readonly ext: string;
  /** Duration of every track of the result in seconds. */
  readonly seconds: number;
  readonly tracks: readonly ('audio' | 'video')[];
}

/** Kinds of jobs that use different parts of the service. */
export const jobKinds = {
  ranges: {
    operation: { type: 'convert_format' },
    files: ['/media/amber-30/movie-720.mp4'],
    ext: 'mkv',
    seconds: 30,
    tracks: ['audio', 'video'],
  },
  hls: {
    operation: { type: 'convert_format' },
    files: ['/hls/amber-60/360/index.m3u8'],
    ext: 'mp4',
    seconds: 60,
    tracks: ['audio', 'video'],
  },
  join: {
    operation: { type: 'join_streams' },
    files: ['/media/amber-30/video-360.mp4', '/media/amber-30/audio.mp4'],
    ext: 'mp4',
    seconds: 30,
    tracks: ['audio', 'video'],
  },
  encode: {
    operation: { type: 'convert_format', copyStreams: false },
    files: ['/media/amber-30/movie-720.mp4'],
    ext: 'mp4',
    seconds: 30,
    tracks: ['audio', 'video'],
  },
  sound: {
    operation: { type: 'no_process' },
    files: ['/media/amber-30/sound.m4a'],
    ext: 'm4a',
    seconds: 30,
    tracks: ['audio'],
  },
} as const satisfies Record<string, JobKind>;

/** The name of a kind. */
export type JobKindName = keyof typeof jobKinds;

/** Names of all kinds. */
export const jobKindNames = Object.keys(jobKinds) as JobKindName[];

/** Milliseconds until a job and its file expire, which is longer than a point can take. */
export const jobTtl = 900_000;

/**
 * Bytes a second of each connection to the source. This limit applies if the fault must hit a job that is downloading.
 */
const SLOW_BYTES_PER_SECOND = 90_000;

/** Returns the description of a new job, and the tokens that identify its requests in the lab's journal. */
export function describeJobOfKind(name: JobKindName, slowSource: boolean) {
  const { operation, files, ext }: JobKind = jobKinds[name];
  const inputs = files.map((path) => {
    const playlist = path.endsWith('.m3u8');
    const { url, token } = labFile(
      path,
      slowSource ? { [playlist ? 'segment.throttle' : 'throttle']: SLOW_BYTES_PER_SECOND } : {},
    );
    return { token, input: { url, ext: playlist ? 'm3u8' : (path.split('.').at(-1) ?? '') } };
  });
  const job = describeJob(
    operation.type,
    inputs.map(({ input }) => input),
    ext,
    // Few connections, so that only a few downloads are in progress when connections break.
    {
      ttl: jobTtl,
      operation,
      chunkDownload: { size: 262_144, concurrency: 2 },
      HLSPlaylistDownload: { concurrency: 2 },
    },
  );
  return { job, tokens: inputs.map(({ token }) => token) };
}
