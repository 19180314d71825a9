import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameOf } from './file-name.ts';

const name = (downloadName?: string) =>
  fileNameOf({ id: 'job:1', output: { ext: 'mp4', ...(downloadName === undefined ? {} : { downloadName }) } });

test.each([
  [undefined, 'job_1.mp4'],
  ['My clip', 'My clip.mp4'],
  ['My clip.MP4', 'My clip.mp4'],
  ['../../etc/passwd', '_.._etc_passwd.mp4'],
  ['..', 'job_1.mp4'],
  ['C:\\a\\b.mp4', 'C__a_b.mp4'],
  ['a\r\nSet-Cookie: b', 'aSet-Cookie_ b.mp4'],
  ['photo\u202Egpj.exe', 'photogpj.exe.mp4'],
  ['日本語の題名', '日本語の題名.mp4'],
  ['   ', 'job_1.mp4'],
  ['CON', '_CON.mp4'],
  ['lpt1.txt', '_lpt1.txt.mp4'],
])('converts %j to %j', (downloadName, safe) => expect(name(downloadName)).toBe(safe));

test('always returns one short, harmless file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 4096 }), (downloadName) => {
      const safe = name(downloadName);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
      expect(safe).toMatch(/^[^/\\:*?"<>|\p{Cc}\p{Cf}]+\.mp4$/u);
      expect(safe.startsWith('.')).toBe(false);
    }),
    { seed: 1 },
  );
});
