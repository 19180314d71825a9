import type { TObject, TSchema } from 'typebox';
import type { Parameter } from './document-types.ts';
import { type SchemaJson, schemaOrRef } from './schemas.ts';

/** Describes the parameters in the schema of an object. The values of an array are repeated parameters. */
export function parametersIn(place: Parameter['in'], parameters: TObject): readonly Parameter[] {
  const required = parameters.required ?? [];
  return Object.entries<TSchema>(parameters.properties).map(([name, property]) => {
    const { description, deprecated, examples, ...rest }: SchemaJson = { ...property };
    const schema = schemaOrRef(rest);
    const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
    return {
      name,
      in: place,
      required: required.includes(name),
      description: String(description ?? ''),
      ...(deprecated === true ? { deprecated } : {}),
      ...('items' in schema ? { style: 'form', explode: true } : {}),
      ...(example === undefined ? {} : { example }),
      schema,
    };
  });
}
