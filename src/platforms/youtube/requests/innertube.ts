import { MillraceError } from '../../../contract/errors.ts';
import { defined, dig, type Fields, text } from '../../../parsing/values.ts';
import type { ExtractionContext, SourceResponse } from '../../platform.ts';
import type { ClientProfile } from '../client-profiles.ts';
import { parseResponse } from '../parse/json-response.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import { findRefusal } from '../parse/refusal.ts';
import type { Site } from '../site.ts';
import { interfaceLanguage, parsedLanguage } from './languages.ts';
import { createVisitorIds, type VisitorIds } from './visitor-ids.ts';

/** Origin of apps, which identify themselves in the body alone. */
const APP_ORIGIN = 'https://youtubei.googleapis.com';

/** Options of a request. */
export interface RequestOptions {
  /** The default is WEB. */
  readonly client?: ClientProfile;
  /** Requested members of the response (`microformat,videoDetails.videoId`). The site omits all others. */
  readonly fields?: string;
  /** Further query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** The visitor ID to send: that of an earlier response, if this request depends on it. */
  readonly visitor?: string;
  /** Time limit for the exchange in milliseconds, and the same again if a visitor ID is requested first. */
  readonly timeout?: number;
}

/** A client of YouTube's InnerTube interface for one extraction. */
export interface Innertube {
  readonly site: Site;
  /** YouTube's code for the caller's language. */
  readonly language: string;
  /** Upper-case code of the exit's country. */
  readonly country: string;
  /**
   * Sends a request in English, the language in which counts and dates are parsed.
   *
   * @param endpoint For example `browse`, `next`, `search` or `player`.
   * @param body Members beside `context`.
   * @throws MillraceError for the site's refusal or a damaged response; `invalid_token` if the site no longer accepts
   * the cursor of the caller's page; also the errors of `context.source`.
   */
  request(endpoint: string, body: Fields, options?: RequestOptions): Promise<Fields>;
  /** Works like {@link request}, and concurrently sends the request in the caller's `lang`. */
  requestLocalised(endpoint: string, body: Fields, options?: RequestOptions): Promise<LocalisedResponse>;
  /** Fetches an address of the site that is not an InnerTube endpoint (suggestions, captions), by default as WEB. */
  fetch(url: string, options?: Pick<RequestOptions, 'client' | 'timeout'>): Promise<SourceResponse>;
  /** Drops the visitor ID of all profiles of a client, after a response such as "confirm you're not a bot". */
  dropVisitor(client: ClientProfile): void;
}

/** Opens a client for each extraction. */
export type OpenInnertube = (language: LanguageParameter, context: ExtractionContext) => Innertube;

/** The `lang` parameter of an endpoint. */
interface LanguageParameter {
  readonly lang?: string | undefined;
}

/** Creates the function that opens clients, which share the visitor IDs. */
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
    const { client = site.web, fields, query = {}, timeout } = options;
    const searchParameters = fields === undefined ? query : { ...query, $fields: fields };
    const queryString = new URLSearchParams({ prettyPrint: 'false', ...searchParameters });
    const context = requestContext(client, hl, country, visitor);
    return await source.post(
      `${client.origin}/youtubei/v1/${endpoint}?${queryString}`,
      { context, ...body },
      { headers: headers(client, hl, visitor), ...defined({ timeout }) },
    );
  }

  async function requestVisitorId(options: Pick<RequestOptions, 'client' | 'timeout'>): Promise<string> {
    const response = await post('visitor_id', parsedLanguage, {}, options);
    const id = text(dig(parseResponse(response.text, response.status), 'responseContext', 'visitorData'));
    if (id !== undefined) return id;
    throw new MillraceError('invalid_response_data', 'YouTube returned no visitor ID. Try again.');
  }

  async function requestInLanguage(
    hl: string,
    endpoint: string,
    body: Fields,
    options: RequestOptions = {},
  ): Promise<Fields> {
    const { client = site.web, timeout } = options;
    const visitor =
      options.visitor ??
      (client.visitor
        ? await visitorIds.get(exit, client.clientName, () => requestVisitorId({ client, ...defined({ timeout }) }))
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
          // Without the translation, the texts are in English, which is better than no response.
          if (!(error instanceof MillraceError) || signal.aborted) throw error;
          return undefined;
        }),
      ]);
      return translation === undefined ? { response } : { response, translation };
    },
    fetch: (url, { client = site.web, timeout } = {}) =>
      source.get(url, { headers: headers(client, language), ...defined({ timeout }) }),
    dropVisitor: ({ clientName }) => visitorIds.drop(exit, clientName),
  };
}

function requestContext(client: ClientProfile, hl: string, gl: string, visitor?: string): Fields {
  return {
    client: {
      ...client.device,
      clientName: client.clientName,
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

function headers(client: ClientProfile, hl: string, visitor?: string): Record<string, string> {
  const common = {
    'user-agent': client.userAgent,
    'accept-language': hl === parsedLanguage ? 'en-US,en;q=0.9' : `${hl},en;q=0.5`,
    ...(visitor === undefined ? {} : { 'x-goog-visitor-id': visitor }),
  };
  if (client.origin === APP_ORIGIN) return { ...common, 'x-goog-api-format-version': '2' };
  return {
    ...common,
    'x-youtube-client-name': String(client.id),
    'x-youtube-client-version': client.version,
    origin: client.origin,
    referer: `${client.origin}/`,
    // Answers the consent page that precedes other pages in the EU. The cookie contains nothing else.
    cookie: 'SOCS=CAE=',
  };
}

function staleCursorError(cause: MillraceError): MillraceError {
  return new MillraceError(
    'invalid_token',
    'YouTube no longer accepts this page token. Start again without nextToken.',
    {
      cause,
      parameter: 'nextToken',
    },
  );
}
