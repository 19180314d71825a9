import type { ExtractionContext, SourceClient, SourceRequest, SourceResponse } from '../platform.ts';

/** A simulated site's reply to a request: a response, or an error to throw. `url` is the address after redirects. */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: SourceResponse['headers'];
      readonly url?: string;
      readonly body: unknown;
    }
  | Error;

/** A request that the simulated site received. */
export interface SeenRequest {
  readonly url: URL;
  readonly country: string | undefined;
  readonly headers: NonNullable<SourceRequest['headers']>;
  /** The value set by the platform, or absent. */
  readonly followRedirects?: boolean;
  /** The JSON body of a POST, or its form members. */
  readonly body?: unknown;
}

/** The context of an extraction against a simulated site, and the requests that the site received; for tests. */
export interface FakeSite {
  readonly context: ExtractionContext;
  readonly requests: readonly SeenRequest[];
}

/**
 * Options of {@link fakeSite}. `cursor` belongs to the requested page. By default, every part of the response is
 * requested.
 */
export type Surroundings = Partial<
  Pick<ExtractionContext, 'countries' | 'signal' | 'requestsPart' | 'profileOrder'>
> & {
  readonly cursor?: string;
};

/** Creates a site from a function. Bodies other than texts are sent as JSON. Page tokens are the cursors themselves. */
export function fakeSite(
  reply: (request: SeenRequest) => Reply | Promise<Reply>,
  {
    countries = [],
    signal = new AbortController().signal,
    requestsPart = () => true,
    profileOrder = (profiles) => profiles,
    cursor,
  }: Surroundings = {},
): FakeSite {
  const requests: SeenRequest[] = [];
  const client = (country?: string): SourceClient => {
    const send = async (url: string, options: SourceRequest = {}, requestBody?: unknown): Promise<SourceResponse> => {
      const body = requestBody === undefined ? {} : { body: plainBody(requestBody) };
      const { headers = {}, followRedirects } = options;
      const follow = followRedirects === undefined ? {} : { followRedirects };
      const request = { url: new URL(url), country, headers, ...follow, ...body };
      requests.push(request);
      const response = await reply(request);
      if (response instanceof Error) throw response;
      const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body);
      return { status: response.status ?? 200, headers: response.headers ?? {}, url: response.url ?? url, text };
    };
    return {
      ...(country === undefined ? {} : { country }),
      get: (url, options) => send(url, options),
      post: (url, body, options) => send(url, options, body),
    };
  };
  const pages = { ...(cursor === undefined ? {} : { cursor }), token: (next?: string) => next ?? null };
  const timeLeft = () => 25_000;
  const context = {
    source: client(),
    countries,
    sourceIn: client,
    pages,
    requestsPart,
    profileOrder,
    timeLeft,
    signal,
  };
  return { context, requests };
}

/** Returns the context of a probe of one strategy. */
export function withStrategy(context: ExtractionContext, strategy: string): ExtractionContext {
  return { ...context, strategy, profileOrder: () => [strategy] };
}

function plainBody(body: unknown): unknown {
  return body instanceof URLSearchParams ? Object.fromEntries(body) : JSON.parse(JSON.stringify(body));
}
