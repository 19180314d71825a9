import type { OutputNote } from '../../contract/output-notes.ts';
import type { Rendition } from '../../hls/master-playlist.ts';
import type { FetchedInput } from '../download/download-inputs.ts';
import { toPrintable } from '../engine/errors/to-printable.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import { streamUse } from '../engine/track-plan/operation-streams.ts';
import type { EngineOperation } from '../engine/track-plan/source-stream.ts';

/** Maximum number of renditions that one note lists; a note has at most 2,000 characters. */
const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 60;

const kinds = [
  { type: 'AUDIO', kind: 'audio', reason: 'only one per playlist is fetched' },
  { type: 'VIDEO', kind: 'video', reason: 'only one per playlist is fetched' },
  { type: 'SUBTITLES', kind: 'subtitle', reason: 'subtitles of playlists are not fetched' },
] as const;

/** Returns a note for each kind of renditions that the playlist of an input offers but that were not fetched. */
export function renditionNotes(inputs: readonly FetchedInput[], operation: EngineOperation): OutputNote[] {
  return inputs.flatMap(({ skippedRenditions = [] }, input) =>
    kinds.flatMap(({ type, kind, reason }): OutputNote[] => {
      const renditions = skippedRenditions.filter((rendition) => rendition.type === type);
      const isExcluded = streamUse({ kind, cover: false, jobInput: input }, operation) === 'excluded';
      if (renditions.length === 0 || isExcluded) return [];
      const [noun, verb] = renditions.length === 1 ? ['rendition', 'was'] : ['renditions', 'were'];
      const what = `${renditions.length} ${kind} ${noun} of input ${input + 1}`;
      const message = `${what} ${verb} left out, because ${reason}: ${list(renditions)}.`;
      return [{ code: 'stream_left_out', message, input }];
    }),
  );
}

/** Returns a note for each input whose playlist, or best variant, has missing segments. */
export function gapNotes(inputs: readonly FetchedInput[]): OutputNote[] {
  return inputs.flatMap(({ gaps, variantWithGaps }, input): OutputNote[] => {
    if (gaps !== undefined) {
      const [noun, verb] = gaps.segments === 1 ? ['segment', 'is'] : ['segments', 'are'];
      const message = `${gaps.segments} ${noun} of input ${input + 1} (${gaps.seconds.toFixed(1)} s) ${verb} missing, because its playlist reports that the source does not have ${gaps.segments === 1 ? 'it' : 'them'}.`;
      return [{ code: 'segments_missing', message, input }];
    }
    if (variantWithGaps === undefined) return [];
    const { width, height, bandwidth } = variantWithGaps;
    const name = width === undefined || height === undefined ? `of ${bandwidth ?? 0} bit/s` : `in ${width}x${height}`;
    const message = `The best variant of input ${input + 1}, ${name}, has missing segments, so the best one without gaps was used.`;
    return [{ code: 'variant_with_gaps', message, input }];
  });
}

/**
 * Returns a note for each input whose playlist declares audio that is not in the result, although the operation keeps
 * audio. There is no note if the engine has noted that the audio does not play in the clip.
 */
export function missingAudioNotes(
  inputs: readonly FetchedInput[],
  { streams, notes }: Pick<ProcessReport, 'streams' | 'notes'>,
  operation: EngineOperation,
): OutputNote[] {
  return inputs.flatMap(({ declaresAudio }, input): OutputNote[] => {
    const isKept = streamUse({ kind: 'audio', cover: false, jobInput: input }, operation) === 'kept';
    const isInResult = streams.some(
      ({ kind, origin }) => kind === 'audio' && origin?.sources.some((source) => source.input === input) === true,
    );
    const isNoted = notes.some((note) => note.code === 'stream_interrupted' && note.input === input);
    if (declaresAudio !== true || !isKept || isInResult || isNoted) return [];
    const message = `The playlist of input ${input + 1} declares audio, but none of it is in the result.`;
    return [{ code: 'stream_left_out', message, input }];
  });
}

function list(renditions: readonly Rendition[]): string {
  const names = renditions.slice(0, MAX_NAMES).map(nameOf).join(', ');
  const more = renditions.length - MAX_NAMES;
  return more > 0 ? `${names} and ${more} more` : names;
}

function nameOf({ name = 'unnamed', language }: Rendition): string {
  return language === undefined ? shorten(name) : `${shorten(name)} (${shorten(language)})`;
}

function shorten(text: string): string {
  return toPrintable(text).slice(0, MAX_NAME_LENGTH).toWellFormed();
}
