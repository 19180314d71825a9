import { MillraceError } from '../../../contract/errors.ts';
import { defined, dig, type Fields, text } from '../../../parsing/values.ts';
import type { ExtractionContext, SourceResponse } from '../../platform.ts';
import { readAnswer } from '../parse/json-response.ts';
import type { LocalisedAnswer } from '../parse/localised-response.ts';
import { findRefusal } from '../parse/refusal.ts';
import type { ClientName, InnertubeClient, Site } from '../site.ts';
import { interfaceLanguage, parsedLanguage } from './languages.ts';
import { createVisitors, type Visitors } from './visitor-ids.ts';

const SITE = 'https://www.youtube.com';

/** Options of a request. */
export interface RequestOptions {
  /** Default WEB. */
  readonly client?: ClientName;
  /** Requested members of the response (`microformat,videoDetails.videoId`); the site leaves out the rest. */
  readonly only?: string;
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
   * @throws MillraceError what the site's refusal or damaged answer means; `invalid_token` where the site no longer
   *   takes the cursor of the caller's page; what `context.source` throws.
   */
  request(endpoint: string, body: Fields, options?: RequestOptions): Promise<Fields>;
  /** As {@link request}, and at the same time in the caller's `lang`. */
  requestLocalised(endpoint: string, body: Fields, options?: RequestOptions): Promise<LocalisedAnswer>;
  /** Fetches an address of the site that is no InnerTube endpoint (suggestions, captions), by default as WEB. */
  fetch(url: string, options?: Pick<RequestOptions, 'client' | 'timeout'>): Promise<SourceResponse>;
  /** Drops the visitor's id of a client, after an answer such as "confirm you're not a bot". */
  dropVisitor(client: ClientName): void;
}

/** Opens a client for each extraction. */
export type OpenInnertube = (language: Language, context: ExtractionContext) => Innertube;

/** The parameter `lang` of an endpoint. */
interface Language {
  readonly lang?: string | undefined;
}

/** Makes the function that opens clients; all of them share the visitors' ids. */
export function createInnertube(site: Site, visitors: Visitors = createVisitors()): OpenInnertube {
  return (language, context) => openInnertube(site, visitors, language, context);
}

function openInnertube(
  site: Site,
  visitors: Visitors,
  { lang }: Language,
  { source, pages, signal }: ExtractionContext,
): Innertube {
  const language = lang === undefined ? parsedLanguage : interfaceLanguage(lang);
  const exit = source.country ?? '';
  const country = source.country ?? 'US';

  async function post(endpoint: string, hl: string, body: Fields, options: RequestOptions, visitor?: string) {
    const { client: name = 'WEB', only, query = {}, timeout } = options;
    const client = site.clients[name];
    const members = only === undefined ? query : { ...query, $fields: only };
    const address = new URLSearchParams({ prettyPrint: 'false', ...members });
    const context = requestContext(name, client, hl, country, visitor);
    return await source.post(
      `${client.origin}/youtubei/v1/${endpoint}?${address}`,
      { context, ...body },
      { headers: headers(name, client, hl, visitor), ...defined({ timeout }) },
    );
  }

  async function requestVisitor(options: Pick<RequestOptions, 'client' | 'timeout'>): Promise<string> {
    const answer = await post('visitor_id', parsedLanguage, {}, options);
    const id = text(dig(readAnswer(answer.text, answer.status), 'responseContext', 'visitorData'));
    if (id !== undefined) return id;
    throw new MillraceError('invalid_response_data', 'YouTube gave no id to a new visitor. Try again.');
  }

  async function requestIn(hl: string, endpoint: string, body: Fields, options: RequestOptions = {}): Promise<Fields> {
    const { client = 'WEB', timeout } = options;
    const visitor =
      options.visitor ??
      (site.clients[client].visitor
        ? await visitors.get(exit, client, () => requestVisitor({ client, ...defined({ timeout }) }))
        : undefined);
    const { text: json, status } = await post(endpoint, hl, body, options, visitor);
    const ofPage = pages.cursor !== undefined && body.continuation === pages.cursor;
    try {
      const answer = readAnswer(json, status);
      const refusal = hl === parsedLanguage ? findRefusal(answer) : undefined;
      if (refusal !== undefined) throw refusal;
      return answer;
    } catch (error) {
      throw ofPage && error instanceof MillraceError && error.code === 'not_found' ? outdated(error) : error;
    }
  }

  return {
    site,
    language,
    country,
    request: (...parameters) => requestIn(parsedLanguage, ...parameters),
    async requestLocalised(...parameters) {
      if (language === parsedLanguage) return { answer: await requestIn(language, ...parameters) };
      const [answer, localised] = await Promise.all([
        requestIn(parsedLanguage, ...parameters),
        requestIn(language, ...parameters).catch((error: unknown) => {
          // Without it the texts are English; that is no reason to answer nothing.
          if (!(error instanceof MillraceError) || signal.aborted) throw error;
          return undefined;
        }),
      ]);
      return localised === undefined ? { answer } : { answer, localised };
    },
    fetch: (url, { client = 'WEB', timeout } = {}) =>
      source.get(url, { headers: headers(client, site.clients[client], language), ...defined({ timeout }) }),
    dropVisitor: (client) => visitors.drop(exit, client),
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

function outdated(cause: MillraceError): MillraceError {
  return new MillraceError('invalid_token', 'YouTube no longer knows this page. Start again without nextToken.', {
    cause,
    parameter: 'nextToken',
  });
}
