import type { CueText, FileCue, StyleMark } from './file-cue.ts';

/** A subtitle format that is written to a file. */
export type SubtitleFileFormat = 'srt' | 'vtt';

/** Returns a subtitle file with the given cues, in UTF-8. */
export function writeSubtitles(cues: readonly FileCue[], format: SubtitleFileFormat): string {
  const blocks = cues.map(({ start, end, text }, at) => {
    const number = format === 'srt' ? `${at + 1}\n` : '';
    return `${number}${timeOf(start, format)} --> ${timeOf(end, format)}\n${writeText(text, format)}\n\n`;
  });
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${blocks.join('')}`;
}

/** Whether any of the text has a style. */
export function hasStyle(cues: readonly FileCue[]): boolean {
  return cues.some(({ text }) => text.some((part) => typeof part !== 'string'));
}

function writeText(text: CueText, format: SubtitleFileFormat): string {
  return text.map((part) => (typeof part === 'string' ? escapeText(part, format) : tagOf(part))).join('');
}

function tagOf({ style, isEnd }: StyleMark): string {
  return `<${isEnd ? '/' : ''}${style}>`;
}

/** SubRip cannot escape characters. An arrow would look like the times of a cue. */
function escapeText(text: string, format: SubtitleFileFormat): string {
  return format === 'srt'
    ? text.replaceAll('-->', '->')
    : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function timeOf(milliseconds: number, format: SubtitleFileFormat): string {
  const parts = [Math.floor(milliseconds / 3_600_000), Math.floor(milliseconds / 60_000) % 60];
  const seconds = Math.floor(milliseconds / 1000) % 60;
  const fraction = `${milliseconds % 1000}`.padStart(3, '0');
  const clock = [...parts, seconds].map((part) => `${part}`.padStart(2, '0')).join(':');
  return `${clock}${format === 'srt' ? ',' : '.'}${fraction}`;
}
