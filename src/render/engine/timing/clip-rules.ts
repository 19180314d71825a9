import type { Clip } from '../../../contract/clip.ts';
import { MillraceError } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/output-notes.ts';

/**
 * Maximum difference between a time and a bound of a clip at which both count as equal, in seconds: the rounding of
 * containers whose clocks count milliseconds.
 */
export const clipRounding = 0.002;
/**
 * Seconds for which a frame may be displayed without counting as a still picture, as in recordings of a screen. The
 * declared duration of such a picture may end long before the next frame, or long after the clip.
 */
export const stillSeconds = 0.5;
/** Minimum duration of a clip in seconds: enough for a frame at its start, and for the delay of an audio encoder. */
const minClip = 0.01;
/** The same for copies of bare audio frames: readers recognize such a file by three consecutive frames. */
const minBareClip = 0.3;
const bareContainers: ReadonlySet<string> = new Set(['mp3', 'aac']);
/** Seconds of a clip that may be missing at its end without a note: the last packet is often shorter. */
const maxUnnotedLoss = 0.5;
/** Seconds by which a copy may begin early without a note: a packet of audio. */
export const maxUnnotedLead = 0.1;

/** Seconds of audio that an Opus decoder needs before its output is correct (RFC 7845 §4.6). */
const opusPreRoll = 0.08;

/** The requested part of the media, and what the media has of it. Times are in seconds from the start of the media. */
export interface ClipReport {
  /** Where the result begins: at the start of the clip, or at a key frame before it. */
  readonly start: number;
  /** End of the media, as far as it was read. */
  readonly mediaEnd: number;
}

/** Makes a clip long enough for the frame at its start, and for a file that can be read. */
export function withFrame(clip: Clip, ext: string, copyStreams: boolean): Clip {
  const { start, end } = clip;
  const length = copyStreams && bareContainers.has(ext) ? minBareClip : minClip;
  return end === undefined ? clip : { start, end: Math.max(end, start + length) };
}

/** Returns how many packets before the start of a clip are copied and hidden, because decoders need them. */
export function preRollPackets(codec: string, packetSeconds: number): number {
  // Frames of MP3 continue in up to 511 bytes of earlier ones, which are seven at 32 kbit/s (ISO/IEC 11172-3 §2.4.2.7).
  if (codec === 'mp3') return 8;
  if (codec === 'opus') return packetSeconds > 0 ? Math.min(32, Math.ceil(opusPreRoll / packetSeconds)) : 1;
  return codec === 'flac' || codec === 'alac' || codec.startsWith('pcm_') ? 0 : 1;
}

/** Creates the error for a clip that begins after the media, or that is too short to contain anything of it. */
export function clipOutOfRange({ start, end }: Clip, mediaEnd: number): MillraceError {
  if (end !== undefined && mediaEnd >= end) {
    return new MillraceError(
      'clip_out_of_range',
      `The clip from ${start} s to ${end} s is too short to contain a frame. Choose a longer clip.`,
    );
  }
  return new MillraceError(
    'clip_out_of_range',
    `The clip starts at ${seconds(start)} s, but the media lasts ${seconds(mediaEnd)} s. Choose an earlier start.`,
  );
}

/** Creates the error for a clip of video in which decoding cannot begin anywhere. */
export function clipWithoutKeyFrame({ start }: Clip): MillraceError {
  return new MillraceError(
    'source_unsupported',
    `The video has no key frame before or in the clip that starts at ${seconds(start)} s, so it cannot be decoded. Choose another clip, or request the whole media.`,
  );
}

/**
 * Refuses an excerpt that ends before both the clip and its source.
 *
 * @param name - name of the input.
 * @param end - where the excerpt ends, in seconds from the beginning of its source.
 * @param sourceSeconds - duration of its source; undefined if unknown.
 * @throws MillraceError `input_incomplete`.
 */
export function refuseShortExcerpt(name: string, end: number, sourceSeconds: number | undefined, clip: Clip): void {
  const neededEnd = Math.min(sourceSeconds ?? 0, clip.end ?? Number.POSITIVE_INFINITY);
  const tolerance = Math.max(1, (neededEnd - clip.start) * 0.02);
  // A clip that begins after its source is out of range.
  if (end >= neededEnd - tolerance || neededEnd <= clip.start) return;
  throw new MillraceError(
    'input_incomplete',
    `${name} ends at ${seconds(end)} s, before the end of the clip at ${seconds(neededEnd)} s. Start the job again.`,
  );
}

/** Returns the notes about the bounds of a clip. */
export function clipNotes({ start, end }: Clip, report: ClipReport): OutputNote[] {
  const lead = start - report.start;
  const notes: OutputNote[] = [];
  if (lead > maxUnnotedLead) {
    const reason = 'because a copy can only begin at a key frame in this container';
    const message = `The clip begins ${lead.toFixed(1)} s before the requested start, at ${report.start.toFixed(1)} s, ${reason}.`;
    notes.push({ code: 'clip_starts_at_key_frame', message });
  }
  if (end !== undefined && report.mediaEnd < end - maxUnnotedLoss) {
    const message = `The clip ends at ${report.mediaEnd.toFixed(1)} s instead of ${seconds(end)} s, where the media ends.`;
    notes.push({ code: 'clip_shortened', message });
  }
  return notes;
}

/** Returns the note about a video whose first key frame follows the start of a clip. */
export function lateVideoNote(lostSeconds: number, input: number): OutputNote {
  const message = `The video of input ${input + 1} begins ${lostSeconds.toFixed(2)} s after the start of the clip, at its first key frame, because nothing before it can be decoded.`;
  return { code: 'frames_left_out', message, input };
}

/** Returns the note about a stream that has nothing between the start and the end of a clip. */
export function emptyStreamNote(kind: string, input: number): OutputNote {
  return { code: 'stream_interrupted', message: `Input ${input + 1} has no ${kind} in the clip.`, input };
}

/** Formats seconds with at most one decimal. */
function seconds(value: number): string {
  return `${Math.round(value * 10) / 10}`;
}
