import fc from 'fast-check';
import type { Contract, Schema } from '../contract.ts';
import { boundaryTexts, validOf } from './texts.ts';

/** Values of members, by name, for which a schema is too vague. */
export type KnownMembers = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Generates JSON values from the schemas of a contract. */
export interface JsonValues {
  /** Returns values that a schema allows. */
  valid(schema: Schema): fc.Arbitrary<unknown>;
  /** Returns values that fit a schema with one member missing, at or beyond its bounds, of another type, or unknown. */
  wrong(schema: Schema): fc.Arbitrary<unknown>;
}

/** Numbers that programs often handle wrongly. */
const strangeNumbers = [-1, 0, 0.5, -0, 1e21, 1e308, 2 ** 31, 2 ** 53 + 1, -(2 ** 63)];

/** Values that no schema expects. */
const strangeValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', [], {}, [[]], [null], { length: 1 }, { toString: 1 }, ...strangeNumbers),
  fc.constantFrom('x'.repeat(20_000), '\u0000', '\ud800', '😀', 'http://localhost:9/', '../../etc/passwd', '\r\nX: 1'),
  fc.jsonValue(),
);

/** Returns the generator for the schemas of a contract. */
export function jsonValues(contract: Pick<Contract, 'resolve'>, knownMembers: KnownMembers): JsonValues {
  function valid(reference: Schema, name = ''): fc.Arbitrary<unknown> {
    const schema = contract.resolve(reference);
    const { type, properties, items, anyOf, minItems = 0, maxItems = 2 } = schema;
    const own = knownMembers[name];
    if (own !== undefined) return own;
    if (anyOf !== undefined) return fc.oneof(...anyOf.map((each) => valid(each)));
    if (properties !== undefined) return validObject(schema);
    if (items !== undefined) {
      return fc.array(valid(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(2, maxItems)) });
    }
    if (type === 'boolean') return fc.boolean();
    if (type === 'integer') return fc.constantFrom(...boundsOf(schema).inside);
    if (type === 'object') return fc.dictionary(fc.constantFrom('X-A', 'Referer', 'cookie'), fc.constant('a'));
    return validOf(schema);
  }

  function validObject({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
    const members = Object.entries(properties).map(([name, schema]) => [name, valid(schema, name)] as const);
    // Each optional member is present in one of five values.
    const dice = fc.array(fc.nat(4), { minLength: members.length, maxLength: members.length });
    return fc
      .tuple(fc.record(Object.fromEntries(members)), dice)
      .map(([value, rolls]) =>
        Object.fromEntries(Object.entries(value).filter(([name], at) => required.includes(name) || rolls[at] === 0)),
      );
  }

  function wrong(reference: Schema): fc.Arbitrary<unknown> {
    const schema = contract.resolve(reference);
    const { type, properties, items, anyOf } = schema;
    if (anyOf !== undefined) return fc.oneof(...anyOf.map(wrong));
    if (properties !== undefined) return wrongObject(schema);
    if (items !== undefined) return wrongArray(schema);
    if (type === 'integer') return fc.oneof(fc.constantFrom<unknown>(...boundsOf(schema).around), strangeValues);
    if (type === 'string') return fc.oneof(boundaryTexts(schema), strangeValues);
    return strangeValues;
  }

  function wrongObject(schema: Schema): fc.Arbitrary<unknown> {
    const names = Object.keys(schema.properties ?? {});
    const base = validObject(schema);
    const replaced = fc.oneof(
      ...Object.entries(schema.properties ?? {}).map(([name, member]) =>
        fc.tuple(base, wrong(member)).map(([object, value]) => ({ ...object, [name]: value })),
      ),
    );
    const without = fc
      .tuple(base, fc.constantFrom(...names))
      .map(([object, name]) => ({ ...object, [name]: undefined }));
    const unknown = fc
      .tuple(
        base,
        fc.constantFrom('constructor', 'toString', '', 'unknown', '\u0000', 'x'.repeat(5_000)),
        strangeValues,
      )
      .map(([object, name, value]) => ({ ...object, [name]: value }));
    return fc.oneof(
      { weight: 12, arbitrary: replaced },
      { weight: 2, arbitrary: without },
      { weight: 2, arbitrary: unknown },
      { weight: 1, arbitrary: strangeValues },
    );
  }

  function wrongArray({ items = {}, minItems = 0, maxItems = 20 }: Schema): fc.Arbitrary<unknown> {
    const lengths = [minItems - 1, minItems, maxItems, maxItems + 1].filter((length) => length >= 0);
    const repeated = fc
      .tuple(valid(items), fc.constantFrom(...lengths))
      .map(([item, length]) => Array.from({ length }, () => item));
    const oneWrong = fc
      .tuple(fc.array(valid(items), { maxLength: 1 }), wrong(items))
      .map(([some, one]) => [...some, one]);
    return fc.oneof({ weight: 2, arbitrary: repeated }, { weight: 6, arbitrary: oneWrong }, strangeValues);
  }

  return { valid, wrong };
}

function boundsOf({ minimum = 0, maximum = 1_000_000 }: Schema): { inside: number[]; around: number[] } {
  const inside = [minimum, maximum];
  return { inside, around: [...inside, minimum - 1, maximum + 1, minimum + 0.5, ...strangeNumbers] };
}
