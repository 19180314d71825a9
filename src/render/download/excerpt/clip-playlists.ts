import type { Clip } from '../../../contract/clip.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { MediaPlaylist, Segment } from '../../../hls/media-playlist.ts';
import type { SelectedPlaylist } from '../select-playlists.ts';
import { clipOutOfRange } from './clip-range.ts';

/**
 * Seconds by which the durations in a playlist may differ from those of its segments. A clip that begins this soon after
 * a segment begins also needs the segment before it.
 */
export const segmentTolerance = 0.5;

/** The segments of a playlist that a clip needs. */
export interface ClippedPlaylist {
  readonly segments: readonly Segment[];
  /** Time at which the first of them begins, in seconds from the beginning of the earliest playlist of the input. */
  readonly start: number;
  /** Missing segments before the first of them that overlap the clip. */
  readonly firstGaps?: readonly Segment[];
  /** Bytes that a file needs before the first of them: parameter sets that only an earlier segment has. */
  readonly setup?: Buffer;
}

/** Returns the segments with others before them that they need. */
type ExtendSegments = (clipped: ClippedPlaylist, media: MediaPlaylist) => Promise<ClippedPlaylist>;

/** How segments are selected. */
interface ClipOptions {
  /** Extends the segments of the first playlist. Default: only segments that overlap the clip are needed. */
  readonly extend?: ExtendSegments;
  /** Seconds by which each playlist begins after the earliest one. Default: all begin together. */
  readonly delays?: readonly number[];
}

/**
 * Selects the segments that a clip needs from the playlists of an input. Playlists after the first begin no later than
 * the first.
 *
 * @param name - name of the input, for messages.
 * @throws MillraceError `clip_out_of_range` if the clip starts after the end of all playlists.
 */
export async function clipPlaylists(
  playlists: readonly SelectedPlaylist[],
  clip: Clip,
  name: string,
  { extend = async (clipped) => clipped, delays = [] }: ClipOptions = {},
): Promise<ClippedPlaylist[]> {
  const duration = Math.max(0, ...playlists.map(({ media }, at) => media.totalDuration + (delays[at] ?? 0)));
  if (clip.start >= duration) throw clipOutOfRange(clip, duration, name);
  const end = clip.end ?? Number.POSITIVE_INFINITY;
  let begin = clip.start;
  const clippedPlaylists: ClippedPlaylist[] = [];
  for (const [at, { media }] of playlists.entries()) {
    const overlapping = withoutFirstGaps(clipSegments(media.segments, { begin, end, delay: delays[at] ?? 0 }), clip);
    if (overlapping.segments.length === 0) throw missingSegments(name);
    const clipped = at === 0 ? await extend(overlapping, media) : overlapping;
    if (at === 0) begin = Math.min(begin, clipped.start);
    clippedPlaylists.push(clipped);
  }
  return clippedPlaylists;
}

/** Leaves out missing segments before the first one. */
function withoutFirstGaps({ segments, start }: Omit<ClippedPlaylist, 'firstGaps'>, clip: Clip): ClippedPlaylist {
  const count = segments.findIndex(({ gap }) => !gap);
  const gaps = count < 0 ? segments : segments.slice(0, count);
  let time = start;
  const firstGaps = gaps.filter(({ duration }) => {
    time += duration;
    return time > clip.start;
  });
  return { segments: segments.slice(gaps.length), start: time, firstGaps };
}

function missingSegments(name: string): MillraceError {
  const message = `${name} is a playlist whose segments are missing where the clip is. Choose another clip or source.`;
  return new MillraceError('source_unsupported', message);
}

function clipSegments(
  segments: readonly Segment[],
  { begin, end, delay }: { readonly begin: number; readonly end: number; readonly delay: number },
): Omit<ClippedPlaylist, 'firstGaps'> {
  let time = delay;
  let first: { readonly at: number; readonly start: number } = { at: 0, start: delay };
  let last = 0;
  segments.forEach(({ duration }, at) => {
    if (time + segmentTolerance <= begin) first = { at, start: time };
    if (time < end + segmentTolerance) last = at;
    time += duration;
  });
  return { segments: segments.slice(first.at, Math.max(first.at, last) + 1), start: first.start };
}
