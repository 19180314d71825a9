import { readAdditions } from '../../additions/read-additions.ts';
import { cleanTags, type Tags, tagNames } from '../../tags/tags.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';

/** Formats with Vorbis comments. FFmpeg reads their descriptions as comments. */
const commentFormats: ReadonlySet<string> = new Set(['ogg', 'flac']);

/**
 * Returns the metadata of an input that players display. Metadata that describes only the input file itself is left
 * out.
 */
export function tagsOfInput(input: MediaInput | undefined): Tags {
  if (input === undefined) return {};
  const comments = commentFormats.has(input.format) ? readAdditions(input.path, input.format) : undefined;
  if (comments !== undefined) return comments.tags;
  // Ogg has no file-level metadata, so the metadata of its stream is used.
  const stream = input.format === 'ogg' ? input.streams.find(({ index }) => isContinuous(input, index)) : undefined;
  const read = (key: string) => input.context.metadata?.get(key) ?? stream?.metadata?.get(key);
  return cleanTags({
    ...Object.fromEntries(tagNames.map((name) => [name, read(name)])),
    url: read('purl') ?? read('url'),
  });
}
