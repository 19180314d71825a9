import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExtractionResult } from '../contract/envelope.ts';
import { answerText } from './answer-text.ts';

const list = fc.array(fc.object({ maxDepth: 3 }), { maxLength: 4 });
const results = fc.record(
  {
    error: fc.constant(null),
    contents: fc.array(fc.record({ videos: list, audios: list, images: list }, { requiredKeys: [] })),
    metadata: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.object({ maxDepth: 3 }), fc.constant(undefined))),
    notes: fc.array(fc.string()),
  },
  { requiredKeys: ['error', 'metadata'] },
);

test('is what JSON.stringify gives, the first time and again', () => {
  fc.assert(
    fc.property(results, (value) => {
      // Inner fields are open; what matters is that any JSON passes.
      const result = value as unknown as ExtractionResult;
      expect(answerText(result)).toBe(JSON.stringify(result));
      expect(answerText({ ...result, notes: ['another'] })).toBe(JSON.stringify({ ...result, notes: ['another'] }));
    }),
    { seed: 20261121, numRuns: 300 },
  );
});
