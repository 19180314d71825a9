import { saveBlob } from './save-blob.ts';

/** Makes the browser save a text as a file. */
export function saveText(text: string, mediaType: string, name: string): void {
  saveBlob(new Blob([text], { type: `${mediaType};charset=utf-8` }), fileNameOf(name));
}

/** Replaces the characters that file systems do not allow in names. */
function fileNameOf(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');
}
