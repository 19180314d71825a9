import { readStored, writeStored } from '../common/storage.ts';

/** What to get of each item of a list. */
export const wantedKinds = ['best', '720p', 'mp3'] as const;

/** What to get of each item of a list: the best video, a video of at most 720 lines, or the audio. */
export type WantedKind = (typeof wantedKinds)[number];

/** How finished files are saved: each by itself, or all in one archive. */
export const saveModes = ['files', 'zip'] as const;

/** How finished files are saved. */
export type SaveMode = (typeof saveModes)[number];

const KIND_KEY = 'millrace.list-kind';
const MODE_KEY = 'millrace.list-saving';

/** Returns the kind that the visitor chose last. */
export function readWantedKind(): WantedKind {
  return oneOf(wantedKinds, readStored(KIND_KEY)) ?? 'best';
}

/** Remembers the kind for the next list. */
export function rememberWantedKind(kind: WantedKind): void {
  writeStored(KIND_KEY, kind);
}

/** Returns the way of saving that the visitor chose last. */
export function readSaveMode(): SaveMode {
  return oneOf(saveModes, readStored(MODE_KEY)) ?? 'files';
}

/** Remembers the way of saving for the next list. */
export function rememberSaveMode(mode: SaveMode): void {
  writeStored(MODE_KEY, mode);
}

/** Returns the option that a value is. */
export function oneOf<Option extends string>(options: readonly Option[], value: unknown): Option | undefined {
  return options.find((option) => option === value);
}
