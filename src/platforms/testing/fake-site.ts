import type { ExtractionContext, SourceClient, SourceRequest, SourceResponse } from '../platform.ts';

/** What a simulated site does with a request: an answer, or an error to throw. `url` is where redirects have led. */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: SourceResponse['headers'];
      readonly url?: string;
      readonly body: unknown;
    }
  | Error;

/** A request as the simulated site saw it. */
export interface SeenRequest {
  readonly url: URL;
  readonly country: string | undefined;
  readonly headers: NonNullable<SourceRequest['headers']>;
  /** As the platform said; absent where it said nothing. */
  readonly followRedirects?: boolean;
  /** The JSON body of a POST, or the members of its form. */
  readonly body?: unknown;
}

/** The surroundings of an extraction against a simulated site, and what it was asked; for tests. */
export interface FakeSite {
  readonly context: ExtractionContext;
  readonly seen: readonly SeenRequest[];
}

/**
 * Options of {@link fakeSite}. `cursor` is that of the requested page; every part of the response is requested by
 * default.
 */
export type Surroundings = Partial<Pick<ExtractionContext, 'countries' | 'signal' | 'requestsPart'>> & {
  readonly cursor?: string;
};

/** Makes a site of a function; bodies that are no text are sent as JSON. Page tokens are the cursors themselves. */
export function fakeSite(
  reply: (request: SeenRequest) => Reply | Promise<Reply>,
  { countries = [], signal = new AbortController().signal, requestsPart = () => true, cursor }: Surroundings = {},
): FakeSite {
  const seen: SeenRequest[] = [];
  const client = (country?: string): SourceClient => {
    const answer = async (url: string, options: SourceRequest = {}, sent?: unknown): Promise<SourceResponse> => {
      const body = sent === undefined ? {} : { body: bodyOf(sent) };
      const { headers = {}, followRedirects } = options;
      const follow = followRedirects === undefined ? {} : { followRedirects };
      const request = { url: new URL(url), country, headers, ...follow, ...body };
      seen.push(request);
      const replied = await reply(request);
      if (replied instanceof Error) throw replied;
      const text = typeof replied.body === 'string' ? replied.body : JSON.stringify(replied.body);
      return { status: replied.status ?? 200, headers: replied.headers ?? {}, url: replied.url ?? url, text };
    };
    return {
      ...(country === undefined ? {} : { country }),
      get: (url, options) => answer(url, options),
      post: (url, body, options) => answer(url, options, body),
    };
  };
  const pages = { ...(cursor === undefined ? {} : { cursor }), token: (next?: string) => next ?? null };
  return { context: { source: client(), countries, sourceIn: client, pages, requestsPart, signal }, seen };
}

function bodyOf(sent: unknown): unknown {
  return sent instanceof URLSearchParams ? Object.fromEntries(sent) : JSON.parse(JSON.stringify(sent));
}
