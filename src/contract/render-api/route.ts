import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/** One operation of an API: its input, and every response that it can return. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with its parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** Description in Markdown. */
  readonly description: string;
  /** Path parameters. */
  readonly parameters?: RouteParameters;
  readonly query?: RouteParameters;
  readonly body?: RouteBody;
  /** Responses by HTTP status. Those that any request can get, such as 500, are not repeated here. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
}

/** An operation of the public API. */
export interface Route extends Endpoint {
  /** The public address that serves the route. `socket` is the address of `render` with the scheme ws or wss. */
  readonly address: 'base' | 'api' | 'render' | 'socket';
  /**
   * Whether callers send a render key. `either`: a render key, or a key of the extraction API. `none`: the path or the
   * body contains the credential.
   */
  readonly renderKey: 'required' | 'either' | 'optional' | 'none';
  /** The format of errors: a `Failure` by default, or the envelope of the extraction API. */
  readonly errors?: 'envelope';
}

/** Parameters of a path or a query. */
export interface RouteParameters {
  readonly schema: TObject;
  /**
   * Checks the values of a request and returns them in the form that handlers receive. Default: unchanged.
   *
   * @throws MillraceError
   */
  readonly parse?: (values: Readonly<Record<string, unknown>>) => object;
}

/** The JSON body of a request. */
interface RouteBody {
  readonly schema: TSchema;
  /**
   * Checks a body and returns it in the form that handlers receive.
   *
   * @throws MillraceError `invalid_body`
   */
  readonly parse: (body: unknown) => unknown;
  readonly example: object;
  /** Set if the body may be missing. */
  readonly optional?: true;
  /** Maximum size in bytes, if it differs from the limit of other requests. */
  readonly limit?: number;
}

/** A response of one status. */
export interface RouteResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>;
  /** Media type of the body; JSON by default. */
  readonly mediaType?: string;
  /** Schema of the body, or of the data of each event. A response without schema and codes has no body. */
  readonly schema?: TSchema;
  /** Examples of the body by name. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** Codes of the error in the body. */
  readonly codes?: readonly ErrorCode[];
}

/** Describes an error response. */
export function refusal(description: string, ...codes: readonly ErrorCode[]) {
  return { description, codes };
}

/** The JSON that a route returns unless it refuses the request. */
export type ResultOf<R extends Endpoint> = {
  [Status in keyof R['responses']]: R['responses'][Status] extends { readonly schema: infer Schema extends TSchema }
    ? Static<Schema>
    : never;
}[keyof R['responses']];
