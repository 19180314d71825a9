import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../../../contract/errors.ts';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import { withFile } from '../../binary/byte-source.ts';
import { containerFormats, isOutputContainer } from '../../formats/container-formats.ts';
import { SubtitlesUnreadable, subtitleLimits } from '../../subtitles/files/file-cue.ts';
import { type ParsedSubtitles, parseSubtitles } from '../../subtitles/files/parse-subtitles.ts';
import { hasStyle, type SubtitleFileFormat, writeSubtitles } from '../../subtitles/files/write-subtitles.ts';
import type { EngineInput, ProcessTask, SubtitleInput } from '../../tasks/task.ts';
import { additionLeftOutNote, unreadableInputError } from '../../track-plan/stream-messages.ts';
import type { CleanSubtitles } from '../input/open-subtitles.ts';

/** A task whose subtitle files were read. */
interface PreparedTask {
  /** The task without the subtitles that are left out. */
  readonly task: ProcessTask;
  /** Its subtitle files, by their index among the task's inputs. */
  readonly subtitles: ReadonlyMap<number, CleanSubtitles>;
  /** Notes about subtitles that are left out or shortened. */
  readonly notes: readonly OutputNote[];
}

/**
 * Reads the subtitle files of a task, and writes their cues to files in the task's folder, in the format that its result
 * stores. Subtitles that the job adds are left out if they cannot be read.
 *
 * @throws MillraceError `input_unreadable` for one of the job's inputs; an error of the file system.
 */
export function prepareSubtitles(task: ProcessTask): PreparedTask {
  const inputs: EngineInput[] = [];
  const subtitles = new Map<number, CleanSubtitles>();
  const notes: OutputNote[] = [];
  for (const [at, input] of task.inputs.entries()) {
    const file = input.subtitles;
    if (file === undefined) {
      inputs.push(input);
      continue;
    }
    // The inputs before it have the lower numbers.
    const jobInput = file.addition === undefined ? (input.jobInput ?? at) : Math.max(-1, ...inputs.map(jobInputOf)) + 1;
    const parsed = readSubtitles(input.path, file, jobInput);
    if ('unreadable' in parsed) {
      notes.push(additionLeftOutNote(file.addition ?? 0, parsed.unreadable));
      continue;
    }
    subtitles.set(inputs.length, clean(task, { ...input, jobInput }, file, inputs.length, parsed));
    inputs.push({ ...input, jobInput });
    if (parsed.shortened > 0) notes.push(shortenedNote(parsed.shortened, file, jobInput));
  }
  return { task: { ...task, inputs }, subtitles, notes };
}

function jobInputOf({ jobInput }: EngineInput, at: number): number {
  return jobInput ?? at;
}

function readSubtitles(
  path: string,
  { format, addition }: SubtitleInput,
  jobInput: number,
): ParsedSubtitles | { readonly unreadable: string } {
  try {
    // One byte more than the limit shows that the file exceeds it.
    return parseSubtitles(
      withFile(path, (source) => source.read(0, subtitleLimits.fileBytes + 1)),
      format,
    );
  } catch (error) {
    if (!(error instanceof SubtitlesUnreadable)) throw error;
    if (addition !== undefined) return { unreadable: error.message };
    const message = `Input ${jobInput + 1} is not a readable ${format} file: ${error.message}. Use another file.`;
    throw unreadableInputError(message, jobInput);
  }
}

function clean(
  { directory, output }: ProcessTask,
  { jobInput = 0 }: EngineInput,
  file: SubtitleInput,
  inputIndex: number,
  { cues }: ParsedSubtitles,
): CleanSubtitles {
  const { addition } = file;
  if (!isOutputContainer(output.ext)) throw new MillraceError('processing_failed', `Unknown container ${output.ext}.`);
  const { subtitleText } = containerFormats[output.ext];
  // WebVTT can escape characters that look like tags.
  const format: SubtitleFileFormat = subtitleText === 'subrip' ? 'srt' : 'vtt';
  const path = join(directory, `subtitles-${inputIndex + 1}.${format}`);
  writeFileSync(path, writeSubtitles(cues, format));
  return {
    inputIndex,
    jobInput,
    name: addition === undefined ? `Input ${jobInput + 1}` : `Subtitles ${addition + 1}`,
    path,
    format,
    file: { ...(addition === undefined ? {} : { addition }), hasStyle: hasStyle(cues) },
    subtitles: file,
  };
}

function shortenedNote(count: number, { addition }: SubtitleInput, jobInput: number): OutputNote {
  const what = addition === undefined ? `The subtitles of input ${jobInput + 1}` : `Subtitles ${addition + 1}`;
  const cues = count === 1 ? '1 cue has' : `${count} cues have`;
  const message = `${what} were shortened: ${cues} more than ${subtitleLimits.cueText.toLocaleString('en')} characters.`;
  return { code: 'subtitle_cues_left_out', message, ...(addition === undefined ? { input: jobInput } : {}) };
}
