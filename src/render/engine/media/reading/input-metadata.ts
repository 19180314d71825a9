import { toPrintable } from '../../errors/to-printable.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';

const metadataKeys = [
  ...['title', 'artist', 'album', 'album_artist', 'track', 'disc', 'date', 'genre', 'composer', 'comment'],
  ...['description', 'copyright'],
];

/** The metadata of the first input that players show; the rest describes only the input file itself. */
export function metadataOf(input: MediaInput | undefined): Record<string, string> {
  // Ogg has no metadata for the whole file, so its stream has them.
  const stream = input?.format === 'ogg' ? input.streams.find(({ index }) => isContinuous(input, index)) : undefined;
  const entries = metadataKeys.flatMap((key) => {
    const value = input?.context.metadata?.get(key) ?? stream?.metadata?.get(key) ?? undefined;
    return value === undefined ? [] : [[key, toPrintable(value).slice(0, 1000)] as const];
  });
  return Object.fromEntries(entries);
}
