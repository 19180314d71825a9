import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { MillraceError } from '../contract/errors.ts';
import { listValues } from '../contract/list-values.ts';

/** Reads the arguments of a tool call. */
export type ReadArguments = (args: unknown) => Record<string, unknown>;

/** Maximum characters of an argument's name in a message. */
const MAX_NAME = 50;

/** Maximum number of arguments, and of values of a list. Each is visited for a message, some more than once. */
const MAX_VALUES = 1_000;

/**
 * Creates the reader of a tool's arguments. Lists can be arrays, or text with commas as in the API. Arguments that are
 * objects, such as a job description, are only checked for the names of their members: the service checks the values,
 * and its error names each wrong one.
 */
export function createArgumentReader(schema: TObject): ReadArguments {
  const properties: Readonly<Record<string, TSchema>> = schema.properties;
  const shallow = Object.entries(properties).map(([name, property]) => [name, shallowSchema(property)]);
  const validator = Compile({ ...schema, properties: Object.fromEntries(shallow) });

  return (received) => {
    const args = readLists(received, properties);
    if (validator.Check(args)) return args as Record<string, unknown>;
    // An unknown member has two faults, of which the one with the keyword `boolean` does not say what is wrong.
    const fault = validator.Errors(args).find(({ keyword }) => keyword !== 'boolean');
    if (fault?.keyword === 'required') {
      const [name = ''] = fault.params.requiredProperties;
      throw argumentError('params_not_found', name, `The argument ${name} is missing.`, properties[name]);
    }
    if (fault?.keyword === 'additionalProperties') {
      const [name = ''] = fault.params.additionalProperties;
      throw argumentError(
        'invalid_params',
        name,
        `Remove the argument ${name.slice(0, MAX_NAME)}, which this tool does not have.`,
        undefined,
      );
    }
    const name = fault?.instancePath.split('/')[1] ?? '';
    const what = name === '' ? 'The arguments' : `The value of ${name.slice(0, MAX_NAME)}`;
    throw argumentError('invalid_params', name, `${what} ${fault?.message ?? 'cannot be read'}.`, properties[name]);
  };
}

/**
 * Reads the arguments that are lists as the API does.
 *
 * @throws MillraceError `invalid_params` for arguments that are no object, and for too many values.
 */
function readLists(received: unknown, properties: Readonly<Record<string, TSchema>>): Record<string, unknown> {
  if (!isObject(received)) throw argumentError('invalid_params', '', 'The arguments must be an object.', undefined);
  const args = Object.entries(received);
  if (args.length > MAX_VALUES) {
    throw argumentError('invalid_params', '', `Send at most ${MAX_VALUES} arguments.`, undefined);
  }
  const entries = args.map(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, property !== undefined && hasType(property, 'array') ? readList(name, value, property) : value];
  });
  return Object.fromEntries(entries);
}

function readList(name: string, value: unknown, property: TSchema): unknown {
  const isText = typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
  const values = isText ? listValues(value) : value;
  if (!Array.isArray(values) || values.length <= MAX_VALUES) return values;
  throw argumentError('invalid_params', name, `The value of ${name} has more than ${MAX_VALUES} parts.`, property);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a schema that does not check the members of an object, nor that the values of a list differ: reading a list
 * leaves duplicates out, and finding them in any values takes long.
 */
function shallowSchema(schema: TSchema): TSchema {
  if (hasType(schema, 'object')) return withoutMembers(schema);
  return hasType(schema, 'array') ? ({ ...schema, uniqueItems: false } as TSchema) : schema;
}

/** Returns the schema of an object with the same members, which accepts any values. */
function withoutMembers(schema: TSchema): TSchema {
  const { properties = {}, additionalProperties = true }: ObjectKeywords = schema;
  const members = Object.fromEntries(Object.keys(properties).map((name) => [name, {}]));
  return { type: 'object', properties: members, additionalProperties } as TSchema;
}

/** The keywords that name the members of an object. */
interface ObjectKeywords {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: boolean | TSchema;
}

function hasType(schema: TSchema, type: string): boolean {
  return 'type' in schema && schema.type === type;
}

function argumentError(
  code: 'params_not_found' | 'invalid_params',
  parameter: string,
  message: string,
  schema: TSchema | undefined,
): MillraceError {
  const description = schema !== undefined && 'description' in schema ? ` ${schema.description}` : '';
  return new MillraceError(code, `${message}${description}`, { parameter: parameter.slice(0, MAX_NAME) });
}
