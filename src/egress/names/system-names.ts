import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** The addresses of the names in a hosts file. Names are in lower case. */
export type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

/** Parses a hosts file: lines of an address and its names, and comments (hosts(5)). Other lines are left out. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = wordsOf(line);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = hosts.get(name);
      if (known === undefined) hosts.set(name, [{ address, family }]);
      else known.push({ address, family });
    }
  }
  return hosts;
}

/** How short names are completed. */
export interface SearchRules {
  /** Domains that are appended to a name, in the order in which they are tried. */
  readonly domains: readonly string[];
  /** A name with fewer dots is tried with the domains first, and unchanged last. */
  readonly dots: number;
}

/** Most search domains that are tried for a name. */
const MAX_DOMAINS = 16;

/** Reads the search domains of `/etc/resolv.conf` (resolv.conf(5)). A cluster's services have short names by them. */
export function parseSearchRules(text: string): SearchRules {
  let domains: readonly string[] = [];
  let dots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = wordsOf(line);
    if (keyword === 'search' || keyword === 'domain') {
      domains = values.map((domain) => domain.replace(/^\.|\.$/g, '')).filter((domain) => domain !== '');
    }
    if (keyword === 'options')
      dots = Number(values.findLast((value) => /^ndots:\d{1,2}$/.test(value))?.slice(6) ?? dots);
  }
  return { domains: domains.slice(0, MAX_DOMAINS), dots };
}

/** Returns the complete names that a name may stand for, in the order in which they are tried. */
export function completeNames(name: string, { domains, dots }: SearchRules): readonly string[] {
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length > dots ? [name, ...completed] : [...completed, name];
}

/** Returns the words of a line without its comment. */
function wordsOf(line: string): readonly string[] {
  return line
    .replace(/[#;].*/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}
