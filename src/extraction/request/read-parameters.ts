import type { TObject, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { MillraceError } from '../../contract/errors.ts';
import { listValues } from '../../contract/list-values.ts';
import { anyCase } from '../../contract/parameters.ts';
import type { EndpointParameters } from '../../platforms/platform.ts';

/** A parsed query string. A repeated parameter is a list. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads the parameters of an endpoint. Empty values count as absent, csv parameters become arrays without duplicates,
 * and unknown parameters are ignored.
 *
 * @throws MillraceError `params_not_found` or `invalid_params`, with the parameter's name and its description.
 */
export function readParameters(schema: TObject, query: QueryParameters): EndpointParameters {
  const values: Record<string, string | readonly string[]> = {};
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const value = 'items' in property ? readList(name, property, query[name]) : readSingle(name, property, query[name]);
    if (value !== undefined) values[name] = value;
  }
  for (const name of schema.required ?? [])
    if (values[name] === undefined) throw missing(name, schema.properties[name]);
  return values;
}

function readList(
  name: string,
  schema: TSchema & { readonly items: unknown },
  value: QueryParameters[string],
): readonly string[] | undefined {
  const values = listValues(value).map((text) => readOne(name, schema.items as TSchema, schema, text));
  return values.length === 0 ? undefined : [...new Set(values)];
}

function readSingle(name: string, schema: TSchema, value: QueryParameters[string]): string | undefined {
  if (typeof value === 'object') {
    throw invalid(name, `The query contains ${name} more than once. Send it only once.`);
  }
  const text = value?.trim() ?? '';
  return text === '' ? undefined : readOne(name, schema, schema, text);
}

/** Reads one value. The error message quotes the description of `parameterSchema`. */
function readOne(name: string, schema: TSchema, parameterSchema: TSchema, text: string): string {
  const value = canonicalSpelling(schema, text);
  if (Check(schema, value)) return value;
  throw invalid(name, `${name} cannot be "${shorten(text)}". ${descriptionOf(parameterSchema)}`);
}

function canonicalSpelling(schema: TSchema, text: string): string {
  if (!(anyCase in schema) || !('enum' in schema) || !Array.isArray(schema.enum)) return text;
  const values: unknown[] = schema.enum;
  const match = values.find((value) => typeof value === 'string' && value.toLowerCase() === text.toLowerCase());
  return typeof match === 'string' ? match : text;
}

function missing(name: string, schema: TSchema | undefined): MillraceError {
  const message = `The parameter ${name} is missing. ${schema === undefined ? '' : descriptionOf(schema)}`;
  return new MillraceError('params_not_found', message.trim(), { parameter: name });
}

function invalid(name: string, message: string): MillraceError {
  return new MillraceError('invalid_params', message.trim(), { parameter: name });
}

function descriptionOf(schema: TSchema): string {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : '';
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
