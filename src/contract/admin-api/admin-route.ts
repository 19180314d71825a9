import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { MillraceError } from '../errors.ts';
import type { Endpoint, RouteParameters } from '../render-api/route.ts';
import { refusal } from '../render-api/route.ts';
import { invalidBody, schemaFaults } from '../schema-faults.ts';

/** The prefix of all paths of the admin API. */
export const adminBase = '/admin';

/** An operation of the admin API. Every request has the token of the admin API. */
export type AdminRoute = Endpoint;

/** The response to a request without the token. */
export const unauthorized = {
  401: refusal('The token of the admin API is missing or wrong.', 'unauthorized'),
} as const;

/** The responses to a request whose body is refused. */
export const refusedBody = {
  400: refusal('The request is not valid; `error.fields` lists the faults.', 'invalid_body', 'invalid_params'),
  413: refusal('The body is too large.', 'body_too_large'),
  415: refusal('The body is not JSON.', 'invalid_body'),
} as const;

/**
 * Describes the JSON body of a request. Every member that the schema does not allow is reported in `fields`.
 *
 * @param options `optional`: a missing body counts as an empty object.
 */
export function jsonBody<Schema extends TSchema, Options extends { readonly optional?: true } = object>(
  schema: Schema,
  example: object,
  options?: Options,
) {
  const validator = Compile(schema);
  const parse = (body: unknown): Type.Static<Schema> => {
    const value: unknown = body ?? {};
    if (validator.Check(value)) return value;
    throw invalidBody('body', schemaFaults(validator, value));
  };
  return { schema, example, parse, ...(options?.optional === true ? { optional: true as const } : {}) };
}

/**
 * Describes the query of a request. Values that are numbers in the schema are converted; an empty value counts as absent.
 * Unknown parameters are refused, so that a misspelt filter does not return everything.
 */
export function checkedQuery<Schema extends TObject>(schema: Schema) {
  const closed = Compile(Type.Object(schema.properties, { additionalProperties: false }));
  const parse = (query: Readonly<Record<string, unknown>>): Type.Static<Schema> => {
    const values: unknown = Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (value === '' ? [] : [[name, typedValue(schema, name, value)]])),
    );
    if (closed.Check(values)) return values as Type.Static<Schema>;
    const [fault = { path: '', message: 'The query is not valid' }] = schemaFaults(closed, values);
    throw new MillraceError('invalid_params', `${fault.path} ${fault.message}.`.trimStart(), { parameter: fault.path });
  };
  return { schema, parse } satisfies RouteParameters;
}

function typedValue(schema: TObject, name: string, value: unknown): unknown {
  const type: unknown = Object.hasOwn(schema.properties, name)
    ? Reflect.get(schema.properties[name] ?? {}, 'type')
    : '';
  return type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}
