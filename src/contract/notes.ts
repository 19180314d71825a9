/**
 * The catalogue of notes: everything in which a finished file may differ from its inputs, beyond what the job asked for.
 * Codes are stable; the sentences beside them are for people.
 */
export const noteCatalogue = {
  stream_left_out: 'A stream of an input is not in the result.',
  subtitle_converted: 'Subtitles became text of another format, without their formatting.',
  subtitle_cues_left_out: 'Some cues of subtitles are not in the result, or only in part.',
  chapters_left_out: 'The chapters of an input are not in the result.',
  rotation_lost: 'The result cannot say how players are to turn the video.',
  projection_lost: 'The result cannot say that the video is spherical or stereoscopic, so players show it flat.',
  several_videos: 'The result has several video streams, of which most players show the first.',
  index_at_end: 'The index stands behind the media, so players that stream the file need its end first.',
  notes_left_out: 'There are more notes than a result lists.',
} as const satisfies Record<string, string>;

/** A code of {@link noteCatalogue}. */
export type NoteCode = keyof typeof noteCatalogue;

/** All codes of {@link noteCatalogue}. */
export const noteCodes = Object.keys(noteCatalogue) as NoteCode[];

/** Characters that the sentence of a note may have, and notes that one result may have. */
export const noteBounds = { message: 2000, count: 256 } as const;

/** In what a finished file differs from its inputs. */
export interface OutputNote {
  readonly code: NoteCode;
  /** The difference, and its reason. */
  readonly message: string;
  /** The job's input that it is about, from 0. */
  readonly input?: number;
}

/** Notes as a result lists them: of more than {@link noteBounds} allows, the last says how many are missing. */
export function boundedNotes(notes: readonly OutputNote[]): readonly OutputNote[] {
  if (notes.length <= noteBounds.count) return notes;
  const listed = notes.slice(0, noteBounds.count - 1);
  return [...listed, { code: 'notes_left_out', message: `${notes.length - listed.length} more notes are not listed.` }];
}
