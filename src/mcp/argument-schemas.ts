import Type, { type TObject, type TSchema } from 'typebox';
import { anyCase } from '../contract/parameters.ts';

/**
 * Returns the schema of a parameter of the API as tools state it. Values that callers may write in any case become
 * text, because an enum lists only one spelling: the service checks them. Keywords that only the service reads are left
 * out.
 */
export function argumentSchema(parameter: TSchema): TSchema {
  const isText = anyCase in parameter;
  const members = Object.entries(parameter).filter(
    ([keyword]) => !keyword.startsWith('x-') && !(isText && keyword === 'enum'),
  );
  return Object.fromEntries(isText ? [['type', 'string'], ...members] : members) as TSchema;
}

/** Returns the schemas of optional parameters of the API as tools state them, by name. */
export function argumentSchemas(
  parameters: Readonly<Record<string, TSchema>>,
  names: readonly string[] = Object.keys(parameters),
): Record<string, TSchema> {
  return Object.fromEntries(
    names.map((name) => {
      const parameter = parameters[name];
      if (parameter === undefined) throw new Error(`The API has no parameter ${name}.`);
      return [name, Type.Optional(argumentSchema(parameter))];
    }),
  );
}

/** Creates the schema of a tool's arguments, which have no other members. */
export function argumentsOf<const Members extends Record<string, TSchema>>(members: Members): TObject<Members> {
  return Type.Object(members, { additionalProperties: false });
}
