import { safeName } from '../../../files/safe-name.ts';
import { saveBlob } from './save-blob.ts';

/** Maximum bytes of a file name in UTF-8. */
const MAX_NAME_BYTES = 180;

/**
 * Makes the browser save a text as a file.
 *
 * @param name File name without its extension. It is made safe for every file system.
 * @param suffix Extension with its dot.
 */
export function saveText(text: string, mediaType: string, name: string, suffix: string): void {
  const file = `${safeName(name, suffix, MAX_NAME_BYTES) || 'Millrace'}${suffix}`;
  saveBlob(new Blob([text], { type: `${mediaType};charset=utf-8` }), file);
}
