import { type Box, findBox, fullBoxBytes } from '../media/boxes.ts';

/** A change to a copy of a progressive MP4 whose first track is its picture. */
type Patch = (bytes: Buffer) => void;

const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
/** The most that a 32-bit number holds. */
const most = 0xffff_ffff;

/** MP4 files that claim what cannot be, by name. */
export const patches: Readonly<Record<string, { readonly about: string; readonly patch: Patch }>> = {
  'huge-dimensions.mp4': {
    about: 'a picture of 65535 × 65535',
    patch(bytes) {
      // Width and height end the track's head, as 16.16 fixed point numbers.
      const { end } = findBox(bytes, ['moov', 'trak', 'tkhd']);
      bytes.writeUInt32BE(0xffff_0000, end - 8);
      bytes.writeUInt32BE(0xffff_0000, end - 4);
      // The description's first entry: 8 bytes of box head, 24 that say nothing about size, width, height.
      const entry = tableStart(findBox(bytes, [...table, 'stsd']));
      bytes.writeUInt16BE(0xffff, entry + 32);
      bytes.writeUInt16BE(0xffff, entry + 34);
    },
  },
  'huge-samples.mp4': {
    about: '4294967295 samples in every table that counts them',
    patch(bytes) {
      const sizes = findBox(bytes, [...table, 'stsz']);
      bytes.writeUInt32BE(most, sizes.content + fullBoxBytes + 4);
      const times = findBox(bytes, [...table, 'stts']);
      bytes.writeUInt32BE(most, tableStart(times));
      const chunks = findBox(bytes, [...table, 'stsc']);
      bytes.writeUInt32BE(most, tableStart(chunks) + 4);
    },
  },
  'huge-tables.mp4': {
    about: 'tables of 4294967295 entries',
    patch(bytes) {
      for (const type of ['stts', 'stsc', 'stss', 'stco']) {
        bytes.writeUInt32BE(most, findBox(bytes, [...table, type]).content + fullBoxBytes);
      }
    },
  },
  'huge-box.mp4': {
    about: 'boxes of 2 GiB and more in a small file',
    patch(bytes) {
      bytes.writeUInt32BE(0x7fff_ffff, findBox(bytes, [...table, 'stsd']).start);
      bytes.writeUInt32BE(most, findBox(bytes, ['mdat']).start);
    },
  },
};

/** Where a full box's first entry begins, behind their number. */
function tableStart({ content }: Box): number {
  return content + fullBoxBytes + 4;
}
