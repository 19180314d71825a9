/** Makes text from a file or from FFmpeg safe for logs and terminals. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
}
