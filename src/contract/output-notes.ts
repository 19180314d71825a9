/**
 * The catalogue of notes: every difference between a finished file and its inputs that the job did not request. Codes
 * are stable; the sentences are for people.
 */
export const noteCatalogue = {
  stream_left_out: 'A stream of an input is not in the result.',
  stream_interrupted: 'A part of an input has no video or no audio.',
  segments_missing: 'Segments that the playlist of an input reports as missing are not in the result.',
  variant_with_gaps: 'The best variant of a playlist has missing segments, so another one without gaps was used.',
  subtitle_converted: 'Subtitles were converted to another text format, without their formatting.',
  subtitle_cues_left_out: 'Some subtitle cues are missing from the result or shortened.',
  frames_left_out: 'Parts of a stream cannot be read or decoded and are missing from the result.',
  chapters_left_out: 'The chapters of an input are not in the result.',
  rotation_lost: 'The container cannot store the rotation of the video, so players show it unrotated.',
  projection_lost: 'The container cannot record that the video is spherical or stereoscopic, so players show it flat.',
  transparency_lost: 'The video had transparency, which the container or the encoder cannot keep.',
  hdr_metadata_lost: 'Metadata of an HDR video is missing from the result, so players may show different colours.',
  audio_mixed_down: 'The audio has fewer channels than its source.',
  flags_lost:
    'The container cannot store the purpose of a stream: forced subtitles, commentary, or accessibility for impaired hearing or vision.',
  several_videos: 'The result has several video streams. Most players show only the first.',
  index_at_end: 'The index is at the end of the file, so players that stream it must read the end first.',
  durations_differ: 'The audio ends earlier or later than the video.',
  starts_at_key_frame:
    'The video begins earlier than in its source, at a key frame, because the container cannot hide what precedes the start.',
  clip_starts_at_key_frame: 'The clip begins before the requested time, at a key frame of the video.',
  clip_shortened: 'The media ends before the requested end of the clip.',
  clip_without_index: 'An input has no index, so the whole file was downloaded for the clip.',
  metadata_left_out: 'Tags that were to be added are missing from the result or shortened.',
  cover_left_out: 'The cover image that was to be added is not in the result.',
  subtitles_left_out: 'Subtitles that were to be added are not in the result.',
  audio_bitrate_limited:
    'The audio has another bit rate than requested, because its encoder does not support that one.',
  image_left_out: 'An image is not in the slideshow, because it could not be read.',
  size_padded: 'The file was padded to 90 % of its maximum size, because its encoded streams have fewer bytes.',
  size_not_used: 'The file is much smaller than its maximum size: its container cannot be padded so much.',
  loudness_not_reached: 'The result has another loudness than requested.',
  notes_left_out: 'There are more notes than a result lists.',
} as const satisfies Record<string, string>;

/** The code of a note, from {@link noteCatalogue}. */
export type NoteCode = keyof typeof noteCatalogue;

/** All codes of {@link noteCatalogue}. */
export const noteCodes = Object.keys(noteCatalogue) as NoteCode[];

/**
 * Limits: characters of a note's message, notes of one result, and characters of all its messages. Sites choose names
 * that messages repeat, and every status, list and event repeats the messages.
 */
export const noteLimits = { message: 2000, count: 256, messages: 16_000 } as const;

/** A difference between a finished file and its inputs. */
export interface OutputNote {
  readonly code: NoteCode;
  /** The difference and its reason. */
  readonly message: string;
  /** Index of the input concerned. */
  readonly input?: number;
}

/** Limits a list of notes to {@link noteLimits}. If some do not fit, the last note says how many. */
export function limitNotes(notes: readonly OutputNote[]): readonly OutputNote[] {
  let count = 0;
  for (let characters = 0; count < notes.length; count += 1) {
    characters += notes[count]?.message.length ?? 0;
    if (characters > noteLimits.messages) break;
  }
  if (count === notes.length && count <= noteLimits.count) return notes;
  const firstNotes = notes.slice(0, Math.min(count, noteLimits.count - 1));
  const leftOut = notes.length - firstNotes.length;
  return [...firstNotes, { code: 'notes_left_out', message: `${leftOut} more notes are not listed.` }];
}
