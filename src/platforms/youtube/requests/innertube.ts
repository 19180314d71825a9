import { MillraceError } from '../../../contract/errors.ts';
import { defined, dig, type Fields, text } from '../../../parsing/values.ts';
import type { ExtractionContext, SourceResponse } from '../../platform.ts';
import { parseResponse } from '../parse/json-response.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import { findRefusal } from '../parse/refusal.ts';
import type { ClientName, InnertubeClient, Site } from '../site.ts';
import { interfaceLanguage, parsedLanguage } from './languages.ts';
import { createVisitorIds, type VisitorIds } from './visitor-ids.ts';

const SITE = 'https://www.youtube.com';

/** Options of a request. */
export interface RequestOptions {
  /** Default WEB. */
  readonly client?: ClientName;
  /** Requested members of the response (`microformat,videoDetails.videoId`); the site leaves out the rest. */
  readonly fields?: string;
  /** Further query members of the address. */
  readonly query?: Readonly<Record<string, string>>;
  /** The visitor's id to send: that of an earlier response, where the next one depends on it. */
  readonly visitor?: string;
  /** Milliseconds for the exchange, and as many again where a visitor's id is requested first. */
  readonly timeout?: number;
}

/** The client of YouTube's InnerTube interface for one extraction. */
export interface Innertube {
  readonly site: Site;
  /** YouTube's name of the caller's language. */
  readonly language: string;
  /** Upper-case code of the country of the exit. */
  readonly country: string;
  /**
   * Sends a request in English, the language that counts and dates are parsed from.
   *
   * @param endpoint Such as `browse`, `next`, `search`, `player`.
   * @param body Members beside `context`.
   * @throws MillraceError what the site's refusal or damaged response means; `invalid_token` where the site no longer
   *   takes the cursor of the caller's page; what `context.source` throws.
   */
  request(endpoint: string, body: Fields, options?: RequestOptions): Promise<Fields>;
  /** As {@link request}, and at the same time in the caller's `lang`. */
  requestLocalised(endpoint: string, body: Fields, options?: RequestOptions): Promise<LocalisedResponse>;
  /** Fetches an address of the site that is no InnerTube endpoint (suggestions, captions), by default as WEB. */
  fetch(url: string, options?: Pick<RequestOptions, 'client' | 'timeout'>): Promise<SourceResponse>;
  /** Drops the visitor's id of a client, after a response such as "confirm you're not a bot". */
  dropVisitor(client: ClientName): void;
}

/** Opens a client for each extraction. */
export type OpenInnertube = (language: LanguageParameter, context: ExtractionContext) => Innertube;

/** The parameter `lang` of an endpoint. */
interface LanguageParameter {
  readonly lang?: string | undefined;
}

/** Makes the function that opens clients; all of them share the visitors' ids. */
export function createInnertube(site: Site, visitorIds: VisitorIds = createVisitorIds()): OpenInnertube {
  return (language, context) => openInnertube(site, visitorIds, language, context);
}

function openInnertube(
  site: Site,
  visitorIds: VisitorIds,
  { lang }: LanguageParameter,
  { source, pages, signal }: ExtractionContext,
): Innertube {
  const language = lang === undefined ? parsedLanguage : interfaceLanguage(lang);
  const exit = source.country ?? '';
  const country = source.country ?? 'US';

  async function post(endpoint: string, hl: string, body: Fields, options: RequestOptions, visitor?: string) {
    const { client: name = 'WEB', fields, query = {}, timeout } = options;
    const client = site.clients[name];
    const searchParameters = fields === undefined ? query : { ...query, $fields: fields };
    const queryString = new URLSearchParams({ prettyPrint: 'false', ...searchParameters });
    const context = requestContext(name, client, hl, country, visitor);
    return await source.post(
      `${client.origin}/youtubei/v1/${endpoint}?${queryString}`,
      { context, ...body },
      { headers: headers(name, client, hl, visitor), ...defined({ timeout }) },
    );
  }

  async function requestVisitorId(options: Pick<RequestOptions, 'client' | 'timeout'>): Promise<string> {
    const response = await post('visitor_id', parsedLanguage, {}, options);
    const id = text(dig(parseResponse(response.text, response.status), 'responseContext', 'visitorData'));
    if (id !== undefined) return id;
    throw new MillraceError('invalid_response_data', 'YouTube gave no id to a new visitor. Try again.');
  }

  async function requestInLanguage(
    hl: string,
    endpoint: string,
    body: Fields,
    options: RequestOptions = {},
  ): Promise<Fields> {
    const { client = 'WEB', timeout } = options;
    const visitor =
      options.visitor ??
      (site.clients[client].visitor
        ? await visitorIds.get(exit, client, () => requestVisitorId({ client, ...defined({ timeout }) }))
        : undefined);
    const { text: json, status } = await post(endpoint, hl, body, options, visitor);
    const isPageRequest = pages.cursor !== undefined && body.continuation === pages.cursor;
    try {
      const response = parseResponse(json, status);
      const refusal = hl === parsedLanguage ? findRefusal(response) : undefined;
      if (refusal !== undefined) throw refusal;
      return response;
    } catch (error) {
      throw isPageRequest && error instanceof MillraceError && error.code === 'not_found'
        ? staleCursorError(error)
        : error;
    }
  }

  return {
    site,
    language,
    country,
    request: (...parameters) => requestInLanguage(parsedLanguage, ...parameters),
    async requestLocalised(...parameters) {
      if (language === parsedLanguage) return { response: await requestInLanguage(language, ...parameters) };
      const [response, translation] = await Promise.all([
        requestInLanguage(parsedLanguage, ...parameters),
        requestInLanguage(language, ...parameters).catch((error: unknown) => {
          // Without it the texts are English; that is no reason to answer nothing.
          if (!(error instanceof MillraceError) || signal.aborted) throw error;
          return undefined;
        }),
      ]);
      return translation === undefined ? { response } : { response, translation };
    },
    fetch: (url, { client = 'WEB', timeout } = {}) =>
      source.get(url, { headers: headers(client, site.clients[client], language), ...defined({ timeout }) }),
    dropVisitor: (client) => visitorIds.drop(exit, client),
  };
}

function requestContext(name: ClientName, client: InnertubeClient, hl: string, gl: string, visitor?: string): Fields {
  return {
    client: {
      ...client.device,
      clientName: name,
      clientVersion: client.version,
      hl,
      gl,
      utcOffsetMinutes: 0,
      ...(visitor === undefined ? {} : { visitorData: visitor }),
    },
    user: { lockedSafetyMode: false },
    request: { useSsl: true, internalExperimentFlags: [] },
  };
}

function headers(name: ClientName, client: InnertubeClient, hl: string, visitor?: string): Record<string, string> {
  const common = {
    'user-agent': client.userAgent,
    'accept-language': hl === parsedLanguage ? 'en-US,en;q=0.9' : `${hl},en;q=0.5`,
    ...(visitor === undefined ? {} : { 'x-goog-visitor-id': visitor }),
  };
  if (name !== 'WEB') return { ...common, 'x-goog-api-format-version': '2' };
  return {
    ...common,
    'x-youtube-client-name': String(client.id),
    'x-youtube-client-version': client.version,
    origin: SITE,
    referer: `${SITE}/`,
    // The visitor has answered the question of consent that stands before pages in the EU; it says nothing else.
    cookie: 'SOCS=CAE=',
  };
}

function staleCursorError(cause: MillraceError): MillraceError {
  return new MillraceError('invalid_token', 'YouTube no longer knows this page. Start again without nextToken.', {
    cause,
    parameter: 'nextToken',
  });
}
