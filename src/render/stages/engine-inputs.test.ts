import { expect, test } from 'vitest';
import { outputByteLimit } from './engine-inputs.ts';

test('a result that is padded to a size may have as many bytes as the job allows', () => {
  expect(outputByteLimit(1_000_000, false, 5_000_000_000)).toBe(5_000_000_000);
  expect(outputByteLimit(1_000_000, false, 65_536)).toBe(outputByteLimit(1_000_000, false));
});
