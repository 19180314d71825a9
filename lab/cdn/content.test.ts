import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesContent, type Content, contentBytes, generatedContent, joinedContent } from './content.ts';

const pieces = fc.array(fc.uint8Array({ maxLength: 20 }).map((data) => Buffer.from(data)));

async function read(content: Content, first: number, end: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(content.read(first, end)));
}

test.each([
  [
    'joined',
    (parts: readonly Buffer[]) =>
      joinedContent(
        parts.map((part) => bytesContent(part, 'a/b')),
        'a/b',
      ),
  ],
  [
    'generated',
    (parts: readonly Buffer[]) => generatedContent('x', 'a/b', Buffer.concat([...parts]).length, () => parts),
  ],
])('any range of %s content equals the same range of the whole', async (_, make) => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(100), fc.nat(100), async (parts, first, more) => {
      const content = make(parts);
      const whole = Buffer.concat(parts);
      expect(content.size).toBe(whole.length);
      expect(await contentBytes(content)).toEqual(whole);
      const end = Math.min(first + more, whole.length);
      expect(await read(content, first, end)).toEqual(whole.subarray(first, Math.max(first, end)));
    }),
    { seed: 1 },
  );
});
