import type { SourceClient, SourceResponse } from '../platform.ts';
import { changedHeaders } from '../request-headers.ts';
import { SITE } from './links.ts';
import type { Site } from './site.ts';

const MIB = 1024 * 1024;

/** Requests a page as a browser does for a typed address. Without the `Sec-Fetch` headers, the site returns 400. */
export function requestPage(
  source: SourceClient,
  url: string,
  { userAgent, headers }: Site,
  timeout: number,
): Promise<SourceResponse> {
  return source.get(url, {
    headers: changedHeaders(
      {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
        // This sets the language of the site's texts, some of which are parsed for counts.
        'accept-language': 'en-US,en;q=0.9',
        'sec-fetch-dest': 'document',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-site': 'none',
        'sec-fetch-user': '?1',
        'upgrade-insecure-requests': '1',
      },
      headers,
    ),
    maxBytes: 4 * MIB,
    timeout,
  });
}

/** One operation of the site's data interface, as a Facebook page requests it. */
interface GraphqlRequest {
  readonly operation: string;
  readonly documentId: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The token from the page. */
  readonly lsd: string;
  /** The page that sends the request. */
  readonly referer: string;
}

/** Requests the site's data interface as a signed-out visitor. */
export function requestGraphql(
  source: SourceClient,
  { operation, documentId, variables, lsd, referer }: GraphqlRequest,
  userAgent: string,
  timeout: number,
): Promise<SourceResponse> {
  const form = new URLSearchParams({
    av: '0',
    __user: '0',
    __a: '1',
    __comet_req: '15',
    lsd,
    fb_api_caller_class: 'RelayModern',
    fb_api_req_friendly_name: operation,
    variables: JSON.stringify(variables),
    server_timestamps: 'true',
    doc_id: documentId,
  });
  return source.post(`${SITE}/api/graphql/`, form, {
    headers: {
      'user-agent': userAgent,
      accept: '*/*',
      'accept-language': 'en-US,en;q=0.9',
      origin: SITE,
      referer,
      'sec-fetch-dest': 'empty',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-origin',
      'x-fb-friendly-name': operation,
      'x-fb-lsd': lsd,
    },
    timeout,
  });
}

/** Requests one of the scripts that a page references. */
export function requestScript(
  source: SourceClient,
  url: string,
  userAgent: string,
  timeout: number,
): Promise<SourceResponse> {
  const headers = { 'user-agent': userAgent, accept: '*/*', referer: `${SITE}/` };
  return source.get(url, { headers, maxBytes: 4 * MIB, timeout });
}
