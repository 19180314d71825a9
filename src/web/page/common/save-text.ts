import { saveLink } from './save-link.ts';

/** How long a browser may take to start saving a file, in milliseconds. */
const SAVE_MS = 60_000;

/** Makes the browser save a text as a file. */
export function saveText(text: string, mediaType: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }));
  saveLink(url, fileNameOf(name));
  setTimeout(() => URL.revokeObjectURL(url), SAVE_MS);
}

/** Replaces the characters that file systems do not allow in names. */
function fileNameOf(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');
}
