import { queryParameter, removeParameters } from '../../../contract/query-parameters.ts';
import { parseSiteUrl } from '../../site-urls.ts';
import { isMainHost, SITE } from '../links.ts';

/** Parameters that only track where a visitor came from. */
const trackers = /^(?:__cft__.*|__tn__|mibextid|rdid|sfnsn|refs?rc?|fref|_rdr|_rdc|locale|paipv|eav|share_url|hc_.*)$/;

/** Returns a Facebook link at the site's main host, without tracking parameters. Leaves other links unchanged. */
export function cleanLink(link: unknown): string | undefined {
  const url = typeof link === 'string' ? parseSiteUrl(link, SITE) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (!isMainHost(url.hostname)) return url.href;
  const target = url.pathname === '/l.php' ? parseSiteUrl(queryParameter(url, 'u') ?? '') : null;
  if (target !== null && /^https?:$/.test(target.protocol)) return target.href;
  url.protocol = 'https:';
  url.host = 'www.facebook.com';
  removeParameters(url, (name) => trackers.test(name));
  return url.href;
}
