import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** A JSON schema, with the members from which values are generated. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

/** A parameter of an operation in the document. */
export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly example?: string | readonly string[];
  /** Without references, also in its items. */
  readonly schema: Schema;
}

/** One method of one path of the document. */
export interface DocumentedOperation {
  readonly method: string;
  /** With `{names}` of its parameters. */
  readonly path: string;
  readonly parameters: readonly DocumentedParameter[];
  /** Set if the operation accepts a body. */
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example: unknown } };
  };
  /** By HTTP status. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** A response to check against the document. */
interface DocumentedResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  /** Its parsed JSON, or the parsed data of one event. */
  readonly body: unknown;
}

/** The promises of a service in its OpenAPI document. */
export interface Contract {
  readonly operations: readonly DocumentedOperation[];
  /**
   * Finds the operation of a method and a path (HEAD: that of GET), see {@link pathOf}. Returns undefined if the
   * document has none.
   */
  find(method: string, pathname: string): DocumentedOperation | undefined;
  /** Returns the schema that a reference to another part of the document leads to; any other schema unchanged. */
  resolve(schema: Schema): Schema;
  /**
   * Checks a response of a documented path. Returns whether the path and method are documented at all.
   * @throws If the document does not allow its status, type or shape.
   */
  check(response: DocumentedResponse): boolean;
}

/** A response in the document, or a reference to one. */
interface ResponseObject {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Operation extends Omit<DocumentedOperation, 'method' | 'path' | 'parameters'> {
  readonly parameters?: readonly DocumentedParameter[];
}

/** An OpenAPI document, with the members that are read here. */
export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

const contracts = new Map<string, Promise<Contract | undefined>>();

/** Returns the contract of the service at an origin; undefined if it publishes none, like the lab. */
export function contractOf(origin: string): Promise<Contract | undefined> {
  const cachedContract = contracts.get(origin);
  if (cachedContract !== undefined) return cachedContract;
  const pending = readContract(origin);
  contracts.set(origin, pending);
  // The contract may be requested again when the service is back.
  pending.catch(() => contracts.delete(origin));
  return pending;
}

/**
 * Requests a document of a service, by default the public one. Returns undefined if the service has no document there.
 */
export async function readContract(
  origin: string,
  path = '/openapi',
  headers: Record<string, string> = {},
): Promise<Contract | undefined> {
  const response = await fetch(`${origin}${path}`, { headers, signal: AbortSignal.timeout(240_000) });
  const text = await response.text();
  if (!response.ok || !text.startsWith('{"openapi"')) return undefined;
  const document = JSON.parse(text) as Document;
  // Services of one version have the same schemas, whose compilation takes longer than most tests.
  const withoutOrigin = text.replaceAll(origin, '');
  const schemas = validators.get(withoutOrigin) ?? schemasOf(document);
  validators.set(withoutOrigin, schemas);
  return openContract(document, schemas);
}

const validators = new Map<string, Ajv2020>();

/** Returns the compiled schemas of a document, each by `document` and its JSON pointer. */
export function schemasOf(document: Document): Ajv2020 {
  // The document is not a schema, and its schemas contain OpenAPI keywords: neither is a mistake.
  const ajv = new Ajv2020({ strict: false, allowUnionTypes: true });
  formats.default(ajv);
  return ajv.addSchema(document, 'document');
}

/** Returns the contract of a document. */
export function openContract(document: Document, ajv: Ajv2020 = schemasOf(document)): Contract {
  const resolve = (schema: Schema): Schema => (schema.$ref === undefined ? schema : at<Schema>(document, schema.$ref));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: (operation.parameters ?? []).map((parameter) => ({
        ...parameter,
        schema: resolveItems(resolve(parameter.schema)),
      })),
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      place: `#/paths/${pointer(path)}/${method}/responses`,
    })),
  );
  // A path without parameters takes precedence over one with parameters, and then the one with more text.
  operations.sort(
    (one, other) =>
      Number(one.path.includes('{')) - Number(other.path.includes('{')) || textLength(other) - textLength(one),
  );

  function resolveItems(schema: Schema): Schema {
    return schema.items === undefined ? schema : { ...schema, items: resolve(schema.items) };
  }

  function validator(place: string): ValidateFunction {
    const validate = ajv.getSchema(`document${place}`);
    if (validate === undefined) throw new Error(`the document has nothing at ${place}`);
    return validate;
  }

  function find(method: string, pathname: string) {
    const documentedMethod = method === 'HEAD' ? 'GET' : method;
    return operations.find((each) => each.method === documentedMethod && each.pattern.test(pathname));
  }

  return {
    operations,
    find,
    resolve,
    check({ method, url, status, contentType, body }) {
      const pathname = pathOf(url);
      const operation = find(method, pathname);
      if (operation === undefined) return false;
      const refuse = (why: string): never => {
        throw new Error(`${method} ${pathname} returned ${status} ${why}:\n${JSON.stringify(body)?.slice(0, 2_000)}`);
      };
      const response = operation.responses[status] ?? refuse('which is not in its document');
      const place = response.$ref ?? `${operation.place}/${status}`;
      const { content } = response.$ref === undefined ? response : at<ResponseObject>(document, response.$ref);
      if (content === undefined) return isEmpty(body) || refuse('with a body, which its document does not have');
      const mediaType = contentType?.split(';', 1)[0] ?? '';
      const type = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*'].find((each) => Object.hasOwn(content, each));
      if (mediaType === '' || type === undefined) {
        return refuse(`as ${mediaType}, not as ${Object.keys(content).join(' or ')}`);
      }
      // The bytes of a file have no shape to check.
      if (method === 'HEAD' || type === '*/*') return true;
      const valid = validator(`${place}/content/${pointer(type)}/schema`);
      if (!valid(body)) return refuse(`in a shape that its document does not allow: ${ajv.errorsText(valid.errors)}`);
      return true;
    },
  };
}

/**
 * Returns the path of a URL or a request target as a server sees it. Characters that need no encoding are decoded (RFC
 * 3986 §6.2.2.2). Dot segments, which URL would resolve, are kept.
 */
export function pathOf(target: string): string {
  const path = target.replace(/^\w+:\/\/[^/?#]*/, '').split(/[?#]/, 1)[0] ?? '';
  return path.replaceAll(/%(?:2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, (encoded) => decodeURIComponent(encoded));
}

/** Returns the number of characters of a path that are no parameters. */
function textLength({ path }: { readonly path: string }): number {
  return path.replaceAll(/\{\w+\}/g, '').length;
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || body === '';
}

function at<Part>(document: Document, reference: string): Part {
  const steps = reference.slice(2).split('/');
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document) as Part;
}

/** Returns a member's name in a JSON pointer within a URL (RFC 6901 §6). */
function pointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
