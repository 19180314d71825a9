import type { ExtractionResult } from '../../../src/contract/envelope.ts';
import type { KnownMetadata, ListItem } from '../../../src/contract/metadata.ts';
import { validUrl } from '../../../src/contract/parse-url.ts';
import type { EndpointEntry } from './endpoint-entry.ts';
import { endpoints } from './endpoints.ts';
import { isObject } from './http/error-response.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import {
  type EndpointOf,
  type ListEndpointOf,
  type Parameters,
  type ParametersOf,
  type PlatformId,
  toSearchParams,
} from './parameters.ts';
import type { RecognisedLink } from './recognise-link.ts';

/** A successful response of the extraction API. Errors are thrown. */
export interface ExtractionResponse extends Pick<ExtractionResult, 'contents' | 'notes'> {
  readonly error: null;
  readonly metadata: KnownMetadata;
}

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** Maximum number of pages or items. */
  readonly limit?: number | undefined;
}

/** Calls the extraction API. */
export interface Extraction {
  /**
   * Calls any endpoint: `extract('p1', 'video/details', { videoId })`.
   *
   * @throws MillraceApiError, also if the platform refused the request; MillraceNetworkError.
   */
  extract<P extends PlatformId, E extends EndpointOf<P>>(
    platform: P,
    endpoint: E,
    parameters: ParametersOf<P, E>,
    options?: CallOptions,
  ): Promise<ExtractionResponse>;
  /** Calls the endpoint of a recognised link, with further parameters. Throws the same errors as {@link extract}. */
  extractLink(link: RecognisedLink, extraParameters?: Parameters, options?: CallOptions): Promise<ExtractionResponse>;
  /** @deprecated Renamed to {@link extract}. */
  readonly ask: Extraction['extract'];
  /** @deprecated Renamed to {@link extractLink}. */
  readonly askLink: Extraction['extractLink'];
  /** Iterates over the pages of a list, starting at `nextToken` if the parameters have one. */
  pages<P extends PlatformId, E extends ListEndpointOf<P>>(
    platform: P,
    endpoint: E,
    parameters: ParametersOf<P, E>,
    options?: ListOptions,
  ): AsyncGenerator<ExtractionResponse, void, void>;
  /** Iterates over the items of a list, page after page. */
  items<P extends PlatformId, E extends ListEndpointOf<P>>(
    platform: P,
    endpoint: E,
    parameters: ParametersOf<P, E>,
    options?: ListOptions,
  ): AsyncGenerator<ListItem, void, void>;
}

/** A page of a list. */
export interface Page {
  readonly items: readonly ListItem[];
  readonly nextToken: string | undefined;
}

/** Consecutive pages without an item after which a list counts as read, so that a service cannot send them without end. */
const MAX_EMPTY_PAGES = 20;

/** Creates the calls of a service's extraction API, which send these headers. */
export function createExtraction(
  base: URL,
  headers: Readonly<Record<string, string>>,
  transport: Transport,
): Extraction {
  async function request(platform: string, endpoint: string, parameters: Parameters, options: CallOptions | undefined) {
    const url = validUrl(`${platform}/v3/${endpoint}`, base);
    url.search = toSearchParams(parameters).toString();
    const response = (await transport.json(
      { method: 'GET', url, headers, parameters, shape: 'Extraction', idempotent: true },
      options,
    )) as Omit<ExtractionResponse, 'metadata'> & Partial<ExtractionResponse>;
    // The transport has checked its shape, and thrown errors. It has no metadata if "fields" selects none.
    return { ...response, metadata: response.metadata ?? {} };
  }

  async function* fetchPages(
    platform: PlatformId,
    endpoint: string,
    parameters: Parameters,
    options: CallOptions | undefined,
  ): AsyncGenerator<{ response: ExtractionResponse; items: readonly ListItem[] }, void, void> {
    const earlierTokens = new Set<unknown>();
    let nextToken = parameters.nextToken;
    let emptyPages = 0;
    do {
      earlierTokens.add(nextToken);
      const response = await request(platform, endpoint, { ...parameters, nextToken }, options);
      const page = readPage(response, platform, endpoint, parameters);
      yield { response, items: page.items };
      nextToken = page.nextToken;
      emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
    } while (nextToken !== undefined && !earlierTokens.has(nextToken) && emptyPages < MAX_EMPTY_PAGES);
  }

  const extract: Extraction['extract'] = (platform, endpoint, parameters, options) =>
    request(platform, endpoint, parameters, options);
  const extractLink: Extraction['extractLink'] = (link, extraParameters, options) =>
    request(link.platform, link.endpoint, { ...link.parameters, ...extraParameters }, options);

  return {
    extract,
    extractLink,
    ask: extract,
    askLink: extractLink,
    async *pages(platform, endpoint, parameters, { limit = Number.POSITIVE_INFINITY, ...options } = {}) {
      let remaining = limit;
      if (remaining <= 0) return;
      for await (const { response } of fetchPages(platform, endpoint, parameters, options)) {
        yield response;
        remaining -= 1;
        if (remaining <= 0) return;
      }
    },
    async *items(platform, endpoint, parameters, { limit = Number.POSITIVE_INFINITY, ...options } = {}) {
      let remaining = limit;
      if (remaining <= 0) return;
      for await (const { items } of fetchPages(platform, endpoint, parameters, options)) {
        for (const item of items) {
          yield item;
          remaining -= 1;
          if (remaining <= 0) return;
        }
      }
    },
  };
}

/**
 * Reads the page in a response of a list endpoint.
 *
 * @throws TypeError for an endpoint that has no list.
 */
export function readPage(
  response: ExtractionResponse,
  platform: PlatformId,
  endpoint: string,
  parameters: Parameters,
): Page {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  const list = table[endpoint]?.list;
  if (list === undefined) throw new TypeError(`${platform}/${endpoint} does not return pages.`);
  const path = list.replace(/\{(\w+)\}/g, (_, name: string) => String(parameters[name])).split('.');
  const name = path.pop() ?? '';
  let parent: unknown = response.metadata;
  for (const step of path) parent = isObject(parent) ? parent[step] : undefined;
  if (!isObject(parent)) return { items: [], nextToken: undefined };
  const items = parent[name];
  const { nextToken } = parent;
  return {
    // The transport has checked the required members of an item.
    items: Array.isArray(items) ? (items as ListItem[]) : [],
    nextToken: typeof nextToken === 'string' ? nextToken : undefined,
  };
}
