import { playlistFault } from './playlist-fault.ts';

/** Turns a URI of a playlist into an absolute URL. */
export type UriResolver = (uri: string, line: number) => string;

/**
 * Resolves the URIs of a playlist against the address that answered with it. Fragments are cut off: they are hints
 * for a player (`#cell=cf`) and are never sent. Everything else stays as written, parentheses in signatures too.
 *
 * A short URI below a long address grows when it is resolved, so all of them together are bounded as well.
 *
 * @throws MillraceError `invalid_response_data`, also from the resolver: for what is no http or https URL, and when
 *   all URLs of the playlist are longer than `maxTotal` characters.
 */
export function createUriResolver(baseUrl: string, maxTotal: number): UriResolver {
  const base = URL.parse(baseUrl);
  if (base === null || !isHttp(base)) throw playlistFault(1, 'cannot be followed: the playlist has no http address');
  let total = 0;
  return (uri, line) => {
    const url = URL.parse(uri, base);
    if (url === null) throw playlistFault(line, 'holds a URI that cannot be read');
    if (!isHttp(url)) throw playlistFault(line, `holds a ${url.protocol} URI where http or https is needed`);
    url.hash = '';
    total += url.href.length;
    if (total > maxTotal) throw playlistFault(line, `takes the playlist's URLs past ${maxTotal} characters`);
    return url.href;
  };
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}
