import type { Clip } from '../../contract/clip.ts';
import type { JobInput } from '../../contract/job.ts';
import type { PreviewInput } from '../../contract/render-preview.ts';
import { type CodecFamilies, codecFamilies } from '../../hls/codec-families.ts';
import { clipPlaylists } from '../download/excerpt/clip-playlists.ts';
import { clipOutOfRange } from '../download/excerpt/clip-range.ts';
import { hasIndex, playsOverTime } from '../download/excerpt/download-excerpt.ts';
import { withExcerptPlan } from '../download/excerpt/fetch-excerpt.ts';
import { ExcerptDeclined } from '../download/excerpt/media-index.ts';
import { type FetchContext, fetchWithinBudget } from '../download/fetch-within-budget.ts';
import { type SelectedPlaylist, selectPlaylists } from '../download/select-playlists.ts';
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

/** Parameters of a probe. */
interface ProbeContext extends Omit<FetchContext, 'budgets'> {
  /** The part of the media that the job keeps. */
  readonly clip?: Clip | undefined;
  /** Whether the job has other inputs, which play at the same time. */
  readonly hasOtherInputs: boolean;
}

/**
 * Probes an input by one request for its first byte, or for its playlists and a few of their segments, in the same way
 * as the job will fetch it. For a clip, also fetches the index of the input.
 *
 * @throws MillraceError as fetching it would.
 */
export function probeInput(input: JobInput, index: number, context: ProbeContext): Promise<ProbedInput> {
  const timeout = Math.min(input.timeout, PROBE_TIMEOUT_MS);
  const limitedInput = { ...input, timeout };
  const clip = playsOverTime(input) ? context.clip : undefined;
  return fetchWithinBudget(limitedInput, index, { ...context, budgets: [] }, async (source) => {
    if (input.ext === 'm3u8') return await probePlaylist(limitedInput, source, clip);
    if (clip === undefined) return await probeFile(limitedInput, source);
    const clipped = await probeClip(limitedInput, source, clip, context.hasOtherInputs);
    if (clipped !== undefined) return clipped;
    const whole = await probeFile(limitedInput, source);
    return { ...whole, clipSize: whole.size };
  });
}

/** Plans the excerpt of an input for a clip. Returns undefined if the whole input would be fetched. */
async function probeClip(
  input: JobInput,
  source: Source,
  clip: Clip,
  hasOtherInputs: boolean,
): Promise<ProbedInput | undefined> {
  if (!hasIndex(input)) return undefined;
  try {
    const unlimited = { sizeGuard: { check: () => undefined }, onBytes: () => undefined };
    const download = { source, chunks: input.chunks, clip, hasOtherInputs, ...unlimited };
    return await withExcerptPlan(download, async ({ index: { duration }, sourceBytes, fetchedBytes }) => {
      if (duration !== undefined && clip.start >= duration && !hasOtherInputs) {
        throw clipOutOfRange(clip, duration, source.name);
      }
      const size = { size: sourceBytes, sizeIsExact: true, clipSize: fetchedBytes };
      return { ...unknownInput(input), ...size, ranges: true };
    });
  } catch (error) {
    if (error instanceof ExcerptDeclined) return undefined;
    throw error;
  }
}

async function probeFile(input: JobInput, source: Source): Promise<ProbedInput> {
  const head = await probeHead(source);
  // With a content coding, the reported size is that of the encoded bytes.
  const size = head.coding === undefined ? (head.total ?? null) : null;
  return { ...unknownInput(input), size, sizeIsExact: size !== null, ranges: head.acceptsRanges };
}

async function probePlaylist(input: JobInput, source: Source, clip: Clip | undefined): Promise<ProbedInput> {
  // A preview has no time for more.
  const playlists = await selectPlaylists(source, { unchangedTargets: 1 });
  const clipped = clip === undefined ? undefined : await clippedMedia(playlists, clip, source.name);
  const duration = Math.max(0, ...playlists.map(({ media }) => media.totalDuration));
  const codecs = codecFamilies(playlists[0]?.variant?.codecs ?? []);
  const size = await estimatePlaylistSize(source, playlists);
  const clipSize = clipped === undefined ? {} : { clipSize: (await estimatePlaylistSize(source, clipped)).size };
  return { ...unknownInput(input), ...size, ...clipSize, duration, ranges: true, codecs };
}

/** Returns playlists with only the segments that a clip needs. */
async function clippedMedia(
  playlists: readonly SelectedPlaylist[],
  clip: Clip,
  name: string,
): Promise<SelectedPlaylist[]> {
  return (await clipPlaylists(playlists, clip, name)).flatMap(({ segments }, at) => {
    const playlist = playlists[at];
    if (playlist === undefined) return [];
    const totalDuration = segments.reduce((sum, { duration }) => sum + duration, 0);
    return [{ ...playlist, media: { ...playlist.media, segments, totalDuration } }];
  });
}
