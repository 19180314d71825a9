import type { JobInput } from '../../contract/job.ts';
import type { PreviewInput } from '../../contract/render-preview.ts';
import { type CodecFamilies, codecFamilies } from '../../hls/codec-families.ts';
import { type FetchContext, fetchWithinBudget } from '../download/fetch-within-budget.ts';
import { selectPlaylists } from '../download/select-playlists.ts';
import type { Source } from '../download/source-request.ts';
import { estimatePlaylistSize } from './estimate-playlist-size.ts';
import { probeHead } from './probe-head.ts';

/** Time limit for probing one input in milliseconds. */
const PROBE_TIMEOUT_MS = 10_000;

/** The result of probing an input. */
export interface ProbedInput extends PreviewInput {
  /** The codecs that its playlist declares. */
  readonly codecs: CodecFamilies;
}

/** Returns an input without known properties: it was not probed, or its source reports nothing. */
export function unknownInput({ ext }: JobInput): ProbedInput {
  return { ext, size: null, sizeIsExact: false, duration: null, ranges: false, codecs: {} };
}

/**
 * Probes an input by one request for its first byte, or for its playlists and a few of their segments, in the same way
 * as the job will fetch it.
 *
 * @throws MillraceError as fetching it would.
 */
export function probeInput(
  input: JobInput,
  index: number,
  context: Omit<FetchContext, 'budgets'>,
): Promise<ProbedInput> {
  const timeout = Math.min(input.timeout, PROBE_TIMEOUT_MS);
  const limitedInput = { ...input, timeout };
  const probe = input.ext === 'm3u8' ? probePlaylist : probeFile;
  return fetchWithinBudget(limitedInput, index, { ...context, budgets: [] }, (source) => probe(limitedInput, source));
}

async function probeFile(input: JobInput, source: Source): Promise<ProbedInput> {
  const head = await probeHead(source);
  // With a content coding, the reported size is that of the encoded bytes.
  const size = head.coding === undefined ? (head.total ?? null) : null;
  return { ...unknownInput(input), size, sizeIsExact: size !== null, ranges: head.acceptsRanges };
}

async function probePlaylist(input: JobInput, source: Source): Promise<ProbedInput> {
  const playlists = await selectPlaylists(source);
  const duration = Math.max(0, ...playlists.map(({ media }) => media.totalDuration));
  const codecs = codecFamilies(playlists[0]?.variant?.codecs ?? []);
  const size = await estimatePlaylistSize(source, playlists);
  return { ...unknownInput(input), ...size, duration, ranges: true, codecs };
}
