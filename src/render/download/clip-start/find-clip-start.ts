import type { Clip } from '../../../contract/clip.ts';
import type { MediaPlaylist, Segment } from '../../../hls/media-playlist.ts';
import { runInTurns, type Steps } from '../../../waiting/steps.ts';
import { type ClippedPlaylist, segmentTolerance } from '../excerpt/clip-playlists.ts';
import { isSameMap } from '../media-resources.ts';
import { readFragmentFrames } from './fragment-frames.ts';
import type { SegmentReader } from './read-segment.ts';
import type { SegmentFrame } from './segment-frame.ts';
import { audioLag, readTransportStreamVideo, type TransportStreamVideo } from './transport-stream-video.ts';
import { createVideoSetup } from './video-setup.ts';

/** Maximum number of segments before a clip that are read to find a key frame. */
const maxSegmentsBack = 64;

/** Number of frames of which one is displayed first. Frames are displayed up to 16 frames after their decoding. */
const reorderedFrames = 64;

/** The beginning of a segment's video, as far as it was read. */
interface SegmentStart {
  readonly frames: readonly SegmentFrame[];
  /** Set for MPEG-TS. */
  readonly stream?: TransportStreamVideo;
}

/**
 * Lets the segments of a clip begin where decoding can: at the last one with a key frame before the clip. A segment
 * need not begin with a key frame (RFC 8216 §3), except in a playlist with EXT-X-INDEPENDENT-SEGMENTS. Without a key
 * frame before the clip, the segments stay unchanged.
 *
 * @param clipped - the segments that overlap the clip, of a playlist with the video.
 * @throws MillraceError if a segment cannot be read.
 */
export async function findClipStart(
  clipped: ClippedPlaylist,
  { segments }: MediaPlaylist,
  clip: Clip,
  reader: SegmentReader,
): Promise<ClippedPlaylist> {
  const [first] = clipped.segments;
  if (first === undefined || clip.start === 0) return clipped;
  const firstAt = segments.indexOf(first);
  let { start } = clipped;
  for (let at = firstAt; at >= Math.max(0, firstAt - maxSegmentsBack); at -= 1) {
    const segment = segments[at];
    if (segment === undefined || !isSameRun(segment, first)) break;
    if (at < firstAt) start -= segment.duration;
    const video = await readStart(segment, reader);
    if (video === undefined) return clipped;
    const key = video.frames.find(({ isKey }) => isKey);
    if (key === undefined || (key !== video.frames[0] && start + key.seconds + segmentTolerance > clip.start)) continue;
    const found = {
      ...clipped,
      segments: [...segments.slice(at, firstAt), ...clipped.segments],
      start: start + leadOf(video),
    };
    const setup = key.hasParameterSets ? undefined : await findSetup(video, segments, at, reader);
    return setup === undefined ? found : { ...found, setup };
  }
  return clipped;
}

/** Whether two segments go into one file, so that the frames of one may need those of the other. */
function isSameRun(segment: Segment, other: Segment): boolean {
  const { gap, discontinuityIndex, map } = segment;
  return !gap && discontinuityIndex === other.discontinuityIndex && isSameMap(map, other.map);
}

/**
 * Returns when a segment begins, in seconds from the first frame in it, which playlists count from: frames after it may be
 * displayed before it, and the audio may begin before it.
 */
function leadOf({ frames, stream }: SegmentStart): number {
  const displayed = frames.slice(0, reorderedFrames).map(({ seconds }) => seconds);
  const lag = stream && audioLag(stream);
  return Math.max(-segmentTolerance, Math.min(0, ...displayed, lag ?? 0));
}

/** Reads as much of a segment as tells where decoding can begin; undefined if it has no video that can be read. */
async function readStart(segment: Segment, reader: SegmentReader): Promise<SegmentStart | undefined> {
  const { bytes, isWhole } = await reader.readHead(segment);
  const head = await runInTurns(parseStart(segment, bytes));
  const [frame] = head?.frames ?? [];
  if (isWhole || head === undefined || (frame?.isKey === true && frame.hasParameterSets)) return head;
  const whole = await reader.read(segment);
  return await runInTurns(parseStart(segment, whole.bytes));
}

function* parseStart({ map }: Segment, bytes: Buffer): Steps<SegmentStart | undefined> {
  const stream = yield* readTransportStreamVideo(bytes);
  if (stream !== undefined) return { stream, frames: stream.frames };
  const frames = map && (yield* readFragmentFrames(bytes));
  return frames && { frames };
}

/** Returns what a file that begins with the segment at an index lacks: the parameter sets of the first segment. */
async function findSetup(
  { stream }: SegmentStart,
  segments: readonly Segment[],
  at: number,
  reader: SegmentReader,
): Promise<Buffer | undefined> {
  const segment = segments[at];
  const source = segments.find((one) => segment !== undefined && isSameRun(one, segment));
  if (stream === undefined || source === undefined || source === segment) return undefined;
  const { bytes } = await reader.readHead(source);
  const sourceStream = await runInTurns(readTransportStreamVideo(bytes));
  return sourceStream && createVideoSetup(stream, sourceStream);
}
