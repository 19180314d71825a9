import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/** One operation of the API: what it takes, and everything that it may answer. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** What it does, in Markdown. */
  readonly description: string;
  /** The public address that the route is served at; `socket` is that of `render`, with ws or wss as its scheme. */
  readonly address: 'base' | 'api' | 'render' | 'socket';
  /** Whether callers send a render key. If not, the path or the body holds the credential. */
  readonly renderKey: 'required' | 'optional' | 'none';
  /** Those of the path. */
  readonly parameters?: RouteParameters;
  readonly query?: RouteParameters;
  readonly body?: RouteBody;
  /** By HTTP status. {@link Route} does not repeat what every request may be answered with, such as 500. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** How errors are reported: as a `Failure` unless this says in the envelope of the extraction API. */
  readonly errors?: 'envelope';
}

/** Parameters of a path or a query. */
export interface RouteParameters {
  readonly schema: TObject;
  /**
   * Checks the values of a request, and returns them as handlers take them. Without it, they pass as they are.
   *
   * @throws MillraceError
   */
  readonly parse?: (values: Readonly<Record<string, unknown>>) => object;
}

/** The JSON body of a request. */
interface RouteBody {
  readonly schema: TSchema;
  /**
   * Checks a body, and returns it as handlers take it.
   *
   * @throws MillraceError `invalid_body`
   */
  readonly parse: (body: unknown) => unknown;
  readonly example: object;
  /** Maximum size in bytes, if it differs from that of other requests. */
  readonly limit?: number;
}

/** A response of one status. */
export interface RouteResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>;
  /** Of the body; JSON by default. */
  readonly mediaType?: string;
  /** Of the body, or of the data of each event. A response without schema and codes has no body. */
  readonly schema?: TSchema;
  /** Examples of the body by name. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** The codes of the error in the body. */
  readonly codes?: readonly ErrorCode[];
}

/** Describes a response with an error. */
export function refusal(description: string, ...codes: readonly ErrorCode[]) {
  return { description, codes };
}

/** The JSON that a route answers with if it does not refuse the request. */
export type ResultOf<R extends Route> = {
  [Status in keyof R['responses']]: R['responses'][Status] extends { readonly schema: infer Schema extends TSchema }
    ? Static<Schema>
    : never;
}[keyof R['responses']];
