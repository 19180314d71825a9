import fc from 'fast-check';
import type { DocumentedParameter, Schema } from '../contract.ts';
import { hostileValue } from './hostile.ts';

/**
 * Generates values of a parameter that its schema allows, percent-encoded.
 *
 * @param links Texts with a link, if the parameter takes one.
 */
export function validTexts(
  { schema, example }: DocumentedParameter,
  links?: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const { items } = schema;
  const text = items === undefined ? validOf(schema) : listOf(validOf(items), schema);
  const encoded = text.map(encodeURIComponent);
  if (example === undefined) return encoded;
  const typical = encodeURIComponent([example].flat().join(','));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(typical) },
    { weight: 1, arbitrary: encoded },
    ...(links === undefined ? [] : [{ weight: 4, arbitrary: links.map(encodeURIComponent) }]),
  );
}

/**
 * Generates values at and beyond the bounds of a parameter's schema, and hostile ones; percent-encoded, sometimes
 * badly.
 */
export function wrongTexts({ schema }: DocumentedParameter): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('', '%20', '0', '-1', 'true', 'TRUE', '1e3', ',', 'null') },
    { weight: 2, arbitrary: boundaryTexts(schema.items ?? schema).map(encodeURIComponent) },
    { weight: 3, arbitrary: hostileValue },
  );
}

/**
 * Generates texts of a schema's shortest and longest length, texts of one character more or less, and enum values in
 * other spellings.
 */
export function boundaryTexts({ minLength = 0, maxLength = 100, enum: listed = [] }: Schema): fc.Arbitrary<string> {
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= 0);
  const filled = fc
    .tuple(fc.constantFrom('a', '1', 'é', '😀', '\u0000', ' '), fc.constantFrom(...lengths))
    .map(([unit, length]) => unit.repeat(length));
  if (listed.length === 0) return filled;
  const otherwise = (value: string) => [value.toUpperCase(), ` ${value}`, `${value},`, value.slice(1), `${value}\n`];
  return fc.oneof(filled, fc.constantFrom(...listed.flatMap(otherwise)));
}

/** Generates texts that a schema allows. */
export function validOf({ enum: listed, pattern, minLength = 0, maxLength = 60, type }: Schema): fc.Arbitrary<string> {
  if (listed !== undefined) return fc.constantFrom(...listed);
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

function listOf(item: fc.Arbitrary<string>, { minItems = 0, maxItems = 4 }: Schema): fc.Arbitrary<string> {
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) };
  return fc.array(item, bounds).map((values) => values.join(','));
}
