import { findBox, fullBoxBytes } from '../media/boxes.ts';
import { boxOf, entries, hideBox, makeBox } from './track-boxes.ts';
import type { Unusual } from './unusual-file.ts';

/** Number of samples at the beginning that are priming: as many as Apple's encoders write (Apple TN2258). */
const priming = 2112;
/** Number of samples in the file: whole packets, which last for twelve seconds. */
const samples = 563 * 1024;

/** M4A files that state their first samples as priming, which nobody is to hear. */
export const primedFiles: Readonly<Record<string, Unusual>> = {
  'primed.m4a': {
    about: 'states 2,112 samples of priming in its edit list',
    source: 'sound.m4a',
    patch(bytes) {
      const entry = entries(boxOf(bytes, 0, ['edts', 'elst']));
      bytes.writeUInt32BE(samples - priming, entry);
      bytes.writeInt32BE(priming, entry + 4);
    },
  },
  'tagged.m4a': {
    about: 'states the same priming in a tag of iTunes (iTunSMPB), and has no edit list',
    source: 'sound.m4a',
    patch(bytes) {
      hideBox(bytes, boxOf(bytes, 0, ['edts']));
      hideBox(bytes, findBox(bytes, ['moov', 'udta']));
    },
    addedBoxes: () => [primingTag()],
  },
};

/** Returns the user data of an MP4 file with the tag. Its numbers are priming, padding and length in samples. */
function primingTag(): Buffer {
  const version = Buffer.alloc(fullBoxBytes);
  const [first, padding, length] = [hexadecimal(priming, 8), hexadecimal(0, 8), hexadecimal(samples - priming, 16)];
  const tag = makeBox(
    '----',
    makeBox('mean', version, 'com.apple.iTunes'),
    makeBox('name', version, 'iTunSMPB'),
    makeBox('data', Buffer.from([0, 0, 0, 1]), Buffer.alloc(4), ` ${hexadecimal(0, 8)} ${first} ${padding} ${length}`),
  );
  const handler = makeBox('hdlr', Buffer.alloc(8), 'mdirappl', Buffer.alloc(9));
  return makeBox('udta', makeBox('meta', version, handler, makeBox('ilst', tag)));
}

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
