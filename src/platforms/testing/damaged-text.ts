import fc from 'fast-check';

/** Generates texts that are truncated, have replaced characters, or are entirely different; for tests of parsers. */
export function damaged(text: string): fc.Arbitrary<string> {
  const place = fc.nat(text.length);
  return fc.oneof(
    fc.constant(text),
    place.map((length) => text.slice(0, length)),
    fc
      .array(fc.tuple(place, fc.string({ unit: 'binary', minLength: 1, maxLength: 2 })), { minLength: 1, maxLength: 8 })
      .map((faults) => faults.reduce((whole, [at, put]) => whole.slice(0, at) + put + whole.slice(at + 1), text)),
    fc.json({ maxDepth: 5 }),
    fc.string({ unit: 'binary' }),
  );
}
