import type { Clip } from '../../../contract/clip.ts';
import { readFragmentIndex } from './fragment-index.ts';
import { declineExcerpt, type IndexReading } from './media-index.ts';
import { readMovieBoxes } from './movie-boxes.ts';
import { movieIndex } from './movie-excerpt.ts';
import { readBoxContent, readBoxHeader, readExactly } from './read-range.ts';

/** Maximum size of a `moov` box in bytes: twice that of the longest film seen. */
const maxMovieBytes = 64 * 1024 * 1024;
/** Maximum size of an `ftyp` box in bytes. */
const maxTypeBytes = 4096;
/** Maximum number of boxes before the `moov` box. */
const maxBoxes = 64;

/**
 * Reads the index of an MP4 or QuickTime file, at its beginning or its end.
 *
 * @param size - size of the file in bytes.
 * @throws ExcerptDeclined or FastPathDeclined if it has no index, or an unusual one.
 */
export function* readMp4Index(size: number, clip: Clip): IndexReading {
  let fileType: Buffer = Buffer.alloc(0);
  for (let count = 0, offset = 0; count < maxBoxes && offset < size; count += 1) {
    const box = yield* readBoxHeader(offset, size);
    switch (box.type) {
      case 'ftyp':
        fileType = yield* readExactly(box.offset, box.end - box.offset, size, maxTypeBytes);
        break;
      case 'moof':
        return declineExcerpt('its fragments precede its index');
      case 'moov': {
        const movie = readMovieBoxes(yield* readBoxContent(box, size, maxMovieBytes));
        if (!movie.isFragmented) {
          yield { memory: 'turn' };
          return yield* movieIndex(movie, fileType, size);
        }
        return yield* readFragmentIndex(movie, fileType, box.end, size, clip);
      }
    }
    offset = box.end;
  }
  return declineExcerpt('it has no index');
}
