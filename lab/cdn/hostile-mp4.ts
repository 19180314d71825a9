import { type Box, findBox, fullBoxBytes } from '../media/boxes.ts';

/** Change to a copy of a progressive MP4 whose first track is its video. */
type Patch = (bytes: Buffer) => void;

const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
/** Largest value of a 32-bit number. */
const most = 0xffff_ffff;

/** MP4 files with impossible declarations, by name. */
export const patches: Readonly<Record<string, { readonly about: string; readonly patch: Patch }>> = {
  'huge-dimensions.mp4': {
    about: 'a video of 65535 × 65535',
    patch(bytes) {
      // Width and height are the last members of the track header, as 16.16 fixed-point numbers.
      const { end } = findBox(bytes, ['moov', 'trak', 'tkhd']);
      bytes.writeUInt32BE(0xffff_0000, end - 8);
      bytes.writeUInt32BE(0xffff_0000, end - 4);
      // First entry of the sample description: 8 bytes of box header, 24 bytes without a size, then width and height.
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

/** Returns the offset of a full box's first entry, after the entry count. */
function tableStart({ content }: Box): number {
  return content + fullBoxBytes + 4;
}
