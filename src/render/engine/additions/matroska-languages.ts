import { crc32 } from 'node:zlib';
import { withFile } from '../binary/byte-source.ts';
import { ebmlIds, segmentElements } from '../binary/ebml.ts';
import { overwrite } from '../binary/overwrite.ts';
import { matroskaLanguage, matroskaPlaceholderElement } from '../languages/written-language.ts';

/** Bytes of the checksum element at the beginning of an element: its ID, its size and the checksum (RFC 8794 §11.3.1). */
const checksumBytes = 6;

/** Replaces the placeholders that the muxer wrote for language tags in the tracks of a Matroska file. */
export function writeMatroskaLanguages(path: string, tags: ReadonlySet<string>): void {
  if (tags.size === 0) return;
  const tracks = withFile(path, (source) => {
    for (const { id, dataOffset, size = 0 } of segmentElements(source)) {
      if (id === ebmlIds.tracks) return { offset: dataOffset, body: source.read(dataOffset, size) };
    }
    throw new Error('the muxer wrote no tracks');
  });
  const { body } = tracks;
  for (const tag of tags) {
    const placeholder = matroskaPlaceholderElement(tag);
    const elements = matroskaLanguage(tag);
    for (let at = body.indexOf(placeholder); at >= 0; at = body.indexOf(placeholder, at)) elements.copy(body, at);
  }
  if (body[0] === 0xbf) body.writeUInt32LE(crc32(body.subarray(checksumBytes)), checksumBytes - 4);
  overwrite(path, tracks.offset, body);
}
