import { format as formatPath, parse as parsePath } from 'node:path';
import type { RecognisedLink } from '#client/recognise-link.ts';
import { cutSegments, type Segment, transcriptText } from '#client/transcript-text.ts';
import type { Clip } from '../../contract/clip.ts';
import type { Options } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import type { Session } from '../service/session.ts';
import { standardOutput } from './destination.ts';
import { checkPath } from './fetch-file.ts';
import { writeText } from './write-text.ts';

/** The formats of subtitle files, each with the format of the transcript in it. */
const transcriptFormatOf = { srt: 'srt', vtt: 'vtt', txt: 'text' } as const;

/** A format of subtitle files. */
type SubtitleFileFormat = keyof typeof transcriptFormatOf;

/** The option that saves subtitles as files. */
export const subtitleFileOption = {
  'write-subtitles': {
    type: 'string',
    value: '<format>',
    values: Object.keys(transcriptFormatOf),
    description: 'Also save subtitles as files next to the video: srt, vtt or txt (YouTube only).',
  },
} as const satisfies Options;

/** The subtitles of one language, or the reason why they are missing. */
export type Subtitles =
  | { readonly language: string; readonly segments: readonly Segment[] }
  | { readonly language: string | null; readonly error: string };

/** A saved subtitle file, or the reason why it is missing. */
export type SubtitleFile =
  | { readonly language: string; readonly path: string }
  | { readonly language: string | null; readonly error: string };

/** Where to save subtitles. */
interface SubtitleTarget {
  /** Path of the media file. */
  readonly mediaPath: string;
  readonly format: string;
  readonly force: boolean;
}

/**
 * Checks that the subtitles of a link can be saved as files.
 *
 * @throws UsageError
 */
export function checkSubtitleOption({ platform, endpoint }: RecognisedLink, output: string | undefined): void {
  if (platform !== 'p1' || endpoint !== 'video/details') {
    throw new UsageError('--write-subtitles is only available for YouTube (p1) videos. Leave it out.');
  }
  if (output === standardOutput) throw new UsageError('--write-subtitles needs a file. Set another --output.');
}

/**
 * Fetches the subtitles of a p1 video.
 *
 * @param languages Empty for the language of the video.
 * @throws Errors of the client.
 */
export async function fetchSubtitles(
  link: RecognisedLink,
  languages: readonly string[],
  { client }: Pick<Session, 'client'>,
  signal: AbortSignal,
): Promise<Subtitles[]> {
  const subtitles: Subtitles[] = [];
  for (const language of languages.length === 0 ? [undefined] : languages) {
    const parameters = { getTranscript: true, fields: ['metadata.transcript'], transcriptLanguage: language };
    const { metadata } = await client.extractLink(link, parameters, { signal });
    const { transcript, selectedLanguage, error } = metadata.transcript ?? {};
    subtitles.push(
      transcript === undefined
        ? { language: selectedLanguage ?? language ?? null, error: error ?? 'The video has no transcript.' }
        : { language: transcript.language, segments: transcript.segments },
    );
  }
  return subtitles;
}

/** Cuts subtitles to a clip of their video, and counts their times from its start. */
export function cutSubtitles(subtitles: readonly Subtitles[], clip: Clip): Subtitles[] {
  return subtitles.map((one) => ('error' in one ? one : { ...one, segments: cutSegments(one.segments, clip) }));
}

/** Checks, before the media is fetched, that the subtitle files can be created. @throws CommandError */
export async function checkSubtitlePaths(subtitles: readonly Subtitles[], target: SubtitleTarget): Promise<void> {
  for (const { language } of subtitles) {
    if (language !== null) await checkPath(subtitlePath(target, language), target.force);
  }
}

/** Saves subtitles next to their media file. @throws CommandError */
export async function saveSubtitles(subtitles: readonly Subtitles[], target: SubtitleTarget): Promise<SubtitleFile[]> {
  const files: SubtitleFile[] = [];
  for (const one of subtitles) {
    if ('error' in one) {
      files.push(one);
      continue;
    }
    const { language, segments } = one;
    const path = subtitlePath(target, language);
    // Parsing the options has checked the format.
    const format = transcriptFormatOf[target.format as SubtitleFileFormat];
    await writeText(path, transcriptText(segments, format), target.force);
    files.push({ language, path });
  }
  return files;
}

/** Returns the path of a subtitle file next to its media file: `film.de.srt`. */
function subtitlePath({ mediaPath, format }: SubtitleTarget, language: string): string {
  const { dir, name } = parsePath(mediaPath);
  return formatPath({ dir, base: `${name}.${language.replace(/[^\w-]/g, '_').slice(0, 40)}.${format}` });
}
