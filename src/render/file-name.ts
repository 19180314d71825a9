import type { Job } from '../contract/job.ts';

const MAX_NAME_BYTES = 180;

/** Names that Windows keeps for devices, whatever their extension. */
const deviceNames = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/**
 * The name that a browser saves a job's file under: the caller's, made safe for every file system and for people's eyes
 * (no folders, no control characters, no marks that turn text around), with the result's extension.
 */
export function fileNameOf({ id, output }: Pick<Job, 'id' | 'output'>): string {
  const suffix = `.${output.ext}`;
  const wanted = (output.downloadName ?? '').normalize('NFC');
  const safe = wanted
    // Controls, line separators, and marks that reverse or hide what follows (Unicode TR 36 §2.5).
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const stem = safe.toLowerCase().endsWith(suffix) ? safe.slice(0, -suffix.length) : safe;
  const name = shorten(deviceNames.test(stem) ? `_${stem}` : stem, MAX_NAME_BYTES - suffix.length);
  return `${name === '' ? id.replace(/[^A-Za-z0-9._-]/g, '_') : name}${suffix}`;
}

/** Cuts between characters, not within one. */
function shorten(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept.trim();
}
