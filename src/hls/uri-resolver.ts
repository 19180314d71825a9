import { parseUrl } from '../contract/parse-url.ts';
import { playlistFault } from './playlist-fault.ts';

/** Resolves a URI of a playlist to an absolute URL. */
export type UriResolver = (uri: string, line: number) => string;

/** A resolver, and what it has resolved. */
interface CountingResolver {
  readonly resolve: UriResolver;
  /** Number of characters of all resolved URLs. */
  readonly characters: number;
}

/**
 * Creates a resolver for the URIs of a playlist, relative to its response URL. Fragments are removed: they are hints
 * for a player (`#cell=cf`) and are never sent. Everything else is kept as written, including parentheses in
 * signatures.
 *
 * A short URI grows when it is resolved against a long URL, so the total length is limited too.
 *
 * @throws MillraceError `invalid_response_data`, also from the resolver: for a URI that is not an http or https URL,
 * and if all URLs of the playlist together exceed `maxTotal` characters.
 */
export function createUriResolver(baseUrl: string, maxTotal: number): CountingResolver {
  const base = parseUrl(baseUrl);
  if (base === null || !isHttp(base))
    throw playlistFault(1, 'cannot be resolved: the playlist itself has no http or https URL');
  let total = 0;
  const resolve: UriResolver = (uri, line) => {
    const url = parseUrl(uri, base);
    if (url === null) throw playlistFault(line, 'has an invalid URI');
    if (!isHttp(url)) throw playlistFault(line, `has a ${url.protocol} URI, but only http and https are supported`);
    url.hash = '';
    total += url.href.length;
    if (total > maxTotal) throw playlistFault(line, `exceeds the limit of ${maxTotal} characters for all URLs`);
    return url.href;
  };
  return {
    resolve,
    get characters() {
      return total;
    },
  };
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}
