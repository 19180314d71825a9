import type { ExtractionResult } from '../../../src/contract/envelope.ts';
import type { KnownMetadata, ListItem } from '../../../src/contract/metadata.ts';
import type { EndpointEntry } from './endpoint-entry.ts';
import { endpoints } from './endpoints.ts';
import type { RecognisedLink } from './links.ts';
import {
  type EndpointOf,
  type ListEndpointOf,
  type Parameters,
  type ParametersOf,
  type PlatformId,
  queryOf,
} from './parameters.ts';
import { isMembers } from './refusal.ts';
import type { CallOptions, Transport } from './transport.ts';

/** A good answer of the extraction API. Errors are thrown. */
export interface Answer extends Pick<ExtractionResult, 'contents' | 'notes'> {
  readonly error: null;
  readonly metadata: KnownMetadata;
}

/** How a list is gone through. */
export interface ListOptions extends CallOptions {
  /** Most that there may be, of pages or of items, whichever are listed. */
  readonly limit?: number | undefined;
}

/** Asks the extraction API. */
export interface Extraction {
  /**
   * Asks any endpoint: `ask('p1', 'video/details', { videoId })`.
   *
   * @throws MillraceApiError, also for what the platform refused; MillraceNetworkError.
   */
  ask<P extends PlatformId, E extends EndpointOf<P>>(
    platform: P,
    endpoint: E,
    parameters: ParametersOf<P, E>,
    options?: CallOptions,
  ): Promise<Answer>;
  /** Asks what a recognised link leads to, with further parameters. Errors as {@link ask}. */
  askLink(link: RecognisedLink, more?: Parameters, options?: CallOptions): Promise<Answer>;
  /** The pages of a list, one after another; from `nextToken` on, where the parameters have one. */
  pages<P extends PlatformId, E extends ListEndpointOf<P>>(
    platform: P,
    endpoint: E,
    parameters: ParametersOf<P, E>,
    options?: ListOptions,
  ): AsyncGenerator<Answer, void, void>;
  /** The items of a list, page after page. */
  items<P extends PlatformId, E extends ListEndpointOf<P>>(
    platform: P,
    endpoint: E,
    parameters: ParametersOf<P, E>,
    options?: ListOptions,
  ): AsyncGenerator<ListItem, void, void>;
}

/** A page of a list, as it stands in an answer. */
export interface Page {
  readonly items: readonly ListItem[];
  readonly nextToken: string | undefined;
}

/** Opens the extraction API of a service, asked with these headers. */
export function createExtraction(
  base: URL,
  headers: Readonly<Record<string, string>>,
  transport: Transport,
): Extraction {
  async function ask(platform: string, endpoint: string, parameters: Parameters, options: CallOptions | undefined) {
    const url = new URL(`${platform}/v3/${endpoint}`, base);
    url.search = queryOf(parameters).toString();
    const answer = await transport.json({ method: 'GET', url, headers, parameters, idempotent: true }, options);
    // The shape is the service's promise; what refuses is thrown before.
    return answer as Answer;
  }

  async function* listed(
    platform: PlatformId,
    endpoint: string,
    parameters: Parameters,
    options: CallOptions | undefined,
  ): AsyncGenerator<{ answer: Answer; items: readonly ListItem[] }, void, void> {
    let nextToken = parameters.nextToken;
    do {
      const answer = await ask(platform, endpoint, { ...parameters, nextToken }, options);
      const page = readPage(answer, platform, endpoint, parameters);
      yield { answer, items: page.items };
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
  }

  return {
    ask: (platform, endpoint, parameters, options) => ask(platform, endpoint, parameters, options),
    askLink: (link, more, options) => ask(link.platform, link.endpoint, { ...link.parameters, ...more }, options),
    async *pages(platform, endpoint, parameters, { limit = Number.POSITIVE_INFINITY, ...options } = {}) {
      let left = limit;
      if (left <= 0) return;
      for await (const { answer } of listed(platform, endpoint, parameters, options)) {
        yield answer;
        left -= 1;
        if (left <= 0) return;
      }
    },
    async *items(platform, endpoint, parameters, { limit = Number.POSITIVE_INFINITY, ...options } = {}) {
      let left = limit;
      if (left <= 0) return;
      for await (const { items } of listed(platform, endpoint, parameters, options)) {
        for (const item of items) {
          yield item;
          left -= 1;
          if (left <= 0) return;
        }
      }
    },
  };
}

/**
 * The page of a list that an answer of a list endpoint holds.
 *
 * @throws TypeError for an endpoint that has no list.
 */
export function readPage(answer: Answer, platform: PlatformId, endpoint: string, parameters: Parameters): Page {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  const list = table[endpoint]?.list;
  if (list === undefined) throw new TypeError(`${platform}/${endpoint} has no pages.`);
  const steps = list.replace(/\{(\w+)\}/g, (_, name: string) => String(parameters[name])).split('.');
  const name = steps.pop() ?? '';
  let holder: unknown = answer.metadata;
  for (const step of steps) holder = isMembers(holder) ? holder[step] : undefined;
  if (!isMembers(holder)) return { items: [], nextToken: undefined };
  const items = holder[name];
  const { nextToken } = holder;
  return {
    // As the document of the service says; an item without these two members cannot be.
    items: Array.isArray(items) ? (items as ListItem[]) : [],
    nextToken: typeof nextToken === 'string' ? nextToken : undefined,
  };
}
