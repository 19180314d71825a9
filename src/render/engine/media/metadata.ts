import { printable } from '../printable.ts';
import { isContinuous, type OpenInput } from './open.ts';

const keptMetadata = [
  ...['title', 'artist', 'album', 'album_artist', 'track', 'disc', 'date', 'genre', 'composer', 'comment'],
  ...['description', 'copyright'],
];

/** What players show of a file, as the first input has it; the rest of its metadata speaks of that file alone. */
export function metadataOf(input: OpenInput | undefined): Record<string, string> {
  // Ogg has no place for words about the whole file, so they stand with its stream.
  const stream = input?.format === 'ogg' ? input.streams.find(({ index }) => isContinuous(input, index)) : undefined;
  const kept = keptMetadata.flatMap((key) => {
    const value = input?.context.metadata?.get(key) ?? stream?.metadata?.get(key) ?? undefined;
    return value === undefined ? [] : [[key, printable(value).slice(0, 1000)] as const];
  });
  return Object.fromEntries(kept);
}
