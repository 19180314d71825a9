/** An OpenAPI 3.1 document with the members that this service uses: https://spec.openapis.org/oas/v3.1.0. */
export interface ApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    /** Version of the document. */
    readonly version: string;
    /** Version of the software. */
    readonly 'x-millrace-version': string;
    readonly description: string;
    readonly license: typeof license;
  };
  readonly servers: readonly Server[];
  readonly tags: readonly Tag[];
  readonly paths: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The licence of the software and its documents. */
export const license = { name: 'MIT', identifier: 'MIT' } as const;

/** A server of operations. */
export interface Server {
  readonly url: string;
}

/** A group of operations. */
export interface Tag {
  readonly name: string;
  /** Name that reference pages show. */
  readonly 'x-displayName'?: string;
  readonly description: string;
}

/** The methods that operations use. */
export const methods = ['get', 'post', 'patch', 'delete'] as const;

/** One of {@link methods}. */
export type Method = (typeof methods)[number];

/** Operations by path (`/p1/v3/video/details`) and method. */
export type Paths = Readonly<Record<string, { readonly [Name in Method]?: Operation }>>;

/** An operation: one method of one path. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Alternative sets of credentials; empty if no credentials are needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** Responses by HTTP status. */
  readonly responses: Readonly<Record<string, Response>>;
  /** Servers, if they differ from those of the document. */
  readonly servers?: readonly Server[];
}

/** A JSON request body. */
interface RequestBody {
  readonly required: boolean;
  readonly content: {
    readonly 'application/json': { readonly schema: Readonly<Record<string, unknown>>; readonly example: object };
  };
}

/** A response, or a reference to one of the components. */
export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  /** Headers by name. */
  readonly headers?: Readonly<Record<string, object>>;
  /** Bodies by media type. */
  readonly content?: Readonly<Record<string, ResponseBody>>;
}

/** A response body of one media type. */
interface ResponseBody {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples?: Examples;
}

/** An example of a body with its display name. */
export interface Example {
  readonly summary: string;
  readonly value: object;
}

/** Examples of a body by name, or references to the components. */
export type Examples = Readonly<Record<string, Example | { readonly $ref: string }>>;

/** A query or path parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly deprecated?: true;
  readonly style?: 'form';
  readonly explode?: true;
  readonly example?: unknown;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Returns a JSON body with a schema and examples. */
export function jsonOf(schema: Readonly<Record<string, unknown>>, examples?: Examples) {
  return { 'application/json': { schema, ...(examples === undefined ? {} : { examples }) } };
}
