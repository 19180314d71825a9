import type { JobInput } from '../../contract/job.ts';
import type { PlannedInput } from '../../contract/render-preview.ts';
import { type CodecFamilies, codecFamilies } from '../../hls/codecs.ts';
import { type InputWay, withSource } from '../download/input-source.ts';
import { findPlaylists } from '../download/playlist.ts';
import type { Source } from '../download/source.ts';
import { playlistSize } from './playlist-size.ts';
import { probeHead } from './probe-head.ts';

/** Milliseconds that asking after one input may take. */
const PROBE_TIMEOUT_MS = 10_000;

/** What asking after an input has found. */
export interface ProbedInput extends PlannedInput {
  /** What a playlist says that it is made of. */
  readonly codecs: CodecFamilies;
}

/** What is known of an input that was not asked after, or did not tell. */
export function unknownInput({ ext }: JobInput): ProbedInput {
  return { ext, size: null, sizeIsExact: false, duration: null, ranges: false, codecs: {} };
}

/**
 * Asks after an input: one request for its first byte, or for its playlists and a few of their segments, in the way
 * that the job will fetch it.
 *
 * @throws MillraceError as fetching it would.
 */
export function probeInput(input: JobInput, index: number, way: Omit<InputWay, 'budgets'>): Promise<ProbedInput> {
  const timeout = Math.min(input.timeout, PROBE_TIMEOUT_MS);
  const limited = { ...input, timeout };
  const probe = input.ext === 'm3u8' ? probePlaylist : probeFile;
  return withSource(limited, index, { ...way, budgets: [] }, (source) => probe(limited, source));
}

async function probeFile(input: JobInput, source: Source): Promise<ProbedInput> {
  const head = await probeHead(source);
  // What is coded on the way tells the size of something else.
  const size = head.coding === undefined ? (head.total ?? null) : null;
  return { ...unknownInput(input), size, sizeIsExact: size !== null, ranges: head.ranges };
}

async function probePlaylist(input: JobInput, source: Source): Promise<ProbedInput> {
  const playlists = await findPlaylists(source);
  const duration = Math.max(0, ...playlists.map(({ media }) => media.totalDuration));
  const codecs = codecFamilies(playlists[0]?.variant?.codecs ?? []);
  const size = await playlistSize(source, playlists);
  return { ...unknownInput(input), ...size, duration, ranges: true, codecs };
}
