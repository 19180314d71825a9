import { toPrintable } from '../../errors/to-printable.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';

const metadataKeys = [
  ...['title', 'artist', 'album', 'album_artist', 'track', 'disc', 'date', 'genre', 'composer', 'comment'],
  ...['description', 'copyright'],
];

/**
 * Returns the metadata of an input that players display. Metadata that describes only the input file itself is left
 * out.
 */
export function metadataOf(input: MediaInput | undefined): Record<string, string> {
  // Ogg has no file-level metadata, so the metadata of its stream is used.
  const stream = input?.format === 'ogg' ? input.streams.find(({ index }) => isContinuous(input, index)) : undefined;
  const entries = metadataKeys.flatMap((key) => {
    const value = input?.context.metadata?.get(key) ?? stream?.metadata?.get(key) ?? undefined;
    return value === undefined ? [] : [[key, toPrintable(value).slice(0, 1000)] as const];
  });
  return Object.fromEntries(entries);
}
