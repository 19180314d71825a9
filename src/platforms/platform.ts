import type { TObject } from 'typebox';
import type { ContentMetadata } from '../contract/envelope.ts';
import type { ResponsePart } from '../contract/parameters.ts';
import type { SourceMedia } from '../contract/source-media.ts';

/** A platform: one folder under `src/platforms/`, and one line in the registry. */
export interface Platform {
  /** The neutral id in paths, such as `p1`. */
  readonly id: string;
  /** Its name for people. */
  readonly title: string;
  /** Version of this platform's part of the API document. */
  readonly version: string;
  readonly endpoints: readonly Endpoint[];
}

/** One GET endpoint of a platform. */
export interface Endpoint {
  /** Below `/<platform>/v3`, such as `/video/details`. */
  readonly path: string;
  readonly summary: string;
  /**
   * Its query parameters: an object schema of string members, with the mandatory ones in `required`. A comma list has
   * `type: array` of an item schema. The service itself applies `fields` (`fieldsParameter`) and `urlAccess`
   * (`urlAccessParameter`) where an endpoint declares them.
   */
  readonly parameters: TObject;
  /** Credits that a request costs. */
  readonly credits: Credits;
  /** Whether its responses have `contents`. */
  readonly contents: boolean;
  /** Members of `metadata` that every successful response has, by path (`playlist.videos`); for its document. */
  readonly returns?: readonly string[];
  /** How renders are offered; absent where the endpoint has no media. */
  readonly renderables?: RenderableRules;
  /** Parts of the response whose requests to the source it skips where `fields` leaves them out. */
  readonly optionalParts?: readonly ResponsePart[];
  /**
   * Requests the data from the site and parses it.
   *
   * @throws MillraceError whose code says why there is no data.
   */
  extract(parameters: EndpointParameters, context: ExtractionContext): Promise<Extraction>;
}

/**
 * A price in credits: one for every extraction, one that is another where `urlAccess` is proxied or a render config is
 * returned, or one that a failed extraction does not cost.
 */
export type Credits =
  | number
  | { readonly usual: number; readonly relayedOrRendered: number }
  | { readonly ifSuccessful: number };

/** How an endpoint's media become renderables. */
export interface RenderableRules {
  /** Whether the value of `renderableFormats` (never one of lowres … all_highres) means the video with this label. */
  matches(label: string, format: string): boolean;
  /** Whether sound is always offered as a file of its own. */
  readonly audio: boolean;
}

/**
 * Checked parameters: absent or empty ones are missing, comma lists are arrays without duplicates. An extraction sees
 * neither the parameters that the service applies for each caller (`fields`, `renderableFormats`, `urlAccess`), nor
 * `nextToken`, nor a value that is its parameter's default: one result serves all callers with the same query.
 */
export type EndpointParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What an extraction may use. */
export interface ExtractionContext {
  /** Sends requests to the site through the exit of this extraction. */
  readonly source: SourceClient;
  /** Upper-case codes of the countries that exits are configured for. */
  readonly countries: readonly string[];
  /** Sends requests through an exit in one of {@link countries}. */
  sourceIn(country: string): SourceClient;
  /** The requested page, and tokens for further ones. Endpoints without a parameter `nextToken` have one page. */
  readonly pages: Pages;
  /**
   * Whether a caller requests a part of the response. Requests that serve other parts alone can be skipped; their data
   * is removed from the response. Always true of parts that are not among the endpoint's `optionalParts`.
   */
  readonly requestsPart: (part: ResponsePart) => boolean;
  /** Aborted when no caller waits any more, or at the timeout. */
  readonly signal: AbortSignal;
}

/** Sends requests to a site. It follows a bounded number of redirects, and the address guard checks every hop. */
export interface SourceClient {
  /** Country of the exit, where one was chosen. */
  readonly country?: string;
  /**
   * @throws MillraceError `connection_error`, `operation_timeout`, `unexpected_redirect`, `address_refused`, or
   *   `invalid_response_data` for a body over `maxBytes`. A status other than 2xx is not an error here.
   */
  get(url: string, options?: SourceRequest): Promise<SourceResponse>;
  /**
   * Sends a JSON body, or a form where it is given as `URLSearchParams`.
   *
   * @throws MillraceError as {@link get}; `invalid_params` for a body over 64 KiB, which only a caller's text can
   * cause.
   */
  post(url: string, body: unknown, options?: SourceRequest): Promise<SourceResponse>;
}

/**
 * The page of a list that a request is about. A cursor is whatever text the platform needs to find a page again;
 * callers see it sealed, bound to the endpoint and the other parameters, for 15 minutes.
 */
export interface Pages {
  /** The cursor that the caller's `nextToken` holds; absent for the first page. */
  readonly cursor?: string;
  /**
   * The `nextToken` that leads to a cursor; null where there is no further page. A response may hold several.
   *
   * @throws MillraceError `invalid_response_data` for a cursor that is too long for a URL.
   */
  token(cursor: string | undefined): string | null;
}

/** Options of a request to a site. */
export interface SourceRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** False: a redirect is a response like any other. */
  readonly followRedirects?: boolean;
  /** Default 8 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds for the whole exchange; default 10,000. */
  readonly timeout?: number;
}

/** A site's response, whatever its status. */
export interface SourceResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma, `set-cookie` as a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The final address, after redirects. */
  readonly url: string;
  /** The body as text, decoded as UTF-8. */
  readonly text: string;
}

/** The result of an extraction, before plan, key and render links come in. */
export interface Extraction {
  readonly contents?: readonly SourceContent[];
  readonly metadata: ContentMetadata;
  readonly notes?: readonly string[];
  /** Notes about the source's own media links, for callers who get those. */
  readonly linkNotes?: readonly string[];
  /** Whether something is missing that another attempt may bring: such a result is not cached. */
  readonly incomplete?: boolean;
  /** Country of the exit that the media links are bound to, where one was chosen. */
  readonly country?: string;
}

/** One media item of the response. Each list is absent when empty. */
export interface SourceContent {
  readonly videos?: readonly SourceMedia[];
  readonly audios?: readonly SourceMedia[];
  readonly images?: readonly SourceMedia[];
  /** Why nothing here can be rendered (a live stream, say), in words for the caller. */
  readonly unrenderable?: string;
}
