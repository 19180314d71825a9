import { saveLink } from './save-link.ts';

/** Time within which a browser starts to read a file, in milliseconds. */
const SAVE_MS = 60_000;

/** Makes the browser save data as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveLink(url, name);
  setTimeout(() => URL.revokeObjectURL(url), SAVE_MS);
}
