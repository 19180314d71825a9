/** Text of a file or of FFmpeg, without what would upset a log or a terminal. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
}
