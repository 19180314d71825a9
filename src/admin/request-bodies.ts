import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { keyKinds } from '../accounts/key-hasher.ts';
import { invalidBody, schemaFaults } from '../contract/schema-faults.ts';
import { planNames } from '../contract/subscription-plans.ts';

const MAX_GRACE_S = 30 * 24 * 3600;

/** Body of the request that creates a key. */
export const createKeySchema = Type.Object(
  {
    kind: Type.Optional(Type.Enum([...keyKinds])),
    plan: Type.Enum([...planNames]),
    name: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { additionalProperties: false },
);

/** Body of the request that rotates a key. */
export const rotateKeySchema = Type.Object(
  { graceSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_GRACE_S })) },
  { additionalProperties: false },
);

/**
 * Creates a function that validates a body. A missing body counts as empty.
 *
 * @throws MillraceError `invalid_body` with every wrong member in `fields`.
 */
export function createBodyReader<Schema extends TSchema>(schema: Schema): (body: unknown) => Type.Static<Schema> {
  const validator = Compile(schema);
  return (body) => {
    const value: unknown = body ?? {};
    if (validator.Check(value)) return value;
    throw invalidBody('body', schemaFaults(validator, value));
  };
}
