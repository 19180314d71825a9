import { expect, test } from 'vitest';
import { encodeMessage, encodeParams } from './protobuf.ts';

test('encodes messages as the site does', () => {
  expect(encodeParams([104, encodeMessage([1, 0])])).toBe('wgYCCAA%3D');
  expect(encodeParams([2, encodeMessage([2, 1])])).toBe('EgIQAQ%3D%3D');
  const id = 'PLoumn5BIsUDeGF1vy5Nylf_RJKn5aL_nr';
  const page = encodeMessage([2, `VL${id}`], [3, 'CADCBgIIAA%3D%3D'], [35, id], [4, undefined]);
  // Recorded for a playlist's first page (2026-07).
  expect(encodeParams([80_226_972, page])).toBe(
    '4qmFsgJdEiRWTFBMb3VtbjVCSXNVRGVHRjF2eTVOeWxmX1JKS241YUxfbnIaEENBRENCZ0lJQUElM0QlM0SaAiJQTG91bW41QklzVURlR0Yxdnk1TnlsZl9SSktuNWFMX25y',
  );
});

test('encodes numbers of any size', () => {
  expect(Buffer.from(encodeMessage([1, 300])).toString('hex')).toBe('08ac02');
  expect(Buffer.from(encodeMessage([1, 2 ** 40])).toString('hex')).toBe('08808080808020');
});
