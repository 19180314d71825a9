import type { TObject, TSchema } from 'typebox';
import type { Parameter } from './document-types.ts';
import { schemaJson } from './schemas.ts';

/** Describes the parameters in the schema of an object. A list is one comma-separated value. */
export function parametersIn(place: Parameter['in'], parameters: TObject): readonly Parameter[] {
  const required = parameters.required ?? [];
  return Object.entries<TSchema>(parameters.properties).map(([name, property]) => {
    const { description, deprecated, examples, ...schema } = schemaJson(property);
    const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
    return {
      name,
      in: place,
      required: required.includes(name),
      description: String(description ?? ''),
      ...(deprecated === true ? { deprecated } : {}),
      ...('items' in schema ? { style: 'form', explode: false } : {}),
      ...(example === undefined ? {} : { example }),
      schema,
    };
  });
}
