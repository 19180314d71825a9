import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { addAbortListener } from 'node:events';
import { networkInterfaces } from 'node:os';
import { createLookupSlots, type LookupSlots, siteOf } from './lookup-slots.ts';
import { createSystemFile } from './system-file.ts';
import { completeNames, parseHosts, parseSearchRules } from './system-names.ts';

/**
 * Resolves a name to all its addresses, like `dns.lookup`. Its errors have the code `ENOTFOUND` if the name has no
 * address, and `EAI_AGAIN` if that is not known.
 */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How names are looked up. */
export interface ResolverOptions {
  /** Name servers as `address:port`. Default: those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolverFile?: string;
  /** Time limit for a response of a name server in milliseconds. Each server is asked twice. */
  readonly responseTimeout?: number;
  /** Time limit for a lookup in milliseconds, its wait for a slot included. Connections have more time. */
  readonly lookupTimeout?: number;
  /** Time in milliseconds for which a temporary failure is the result of further lookups of the same name. */
  readonly failureLifetime?: number;
  /** Which lookups are in progress. Default: a few of each site. */
  readonly slots?: LookupSlots;
  /** Whether this machine has a public IPv6 address; then such addresses are returned first, as in RFC 6724. */
  readonly hasIpv6?: () => boolean;
}

/** Maximum number of names whose failure is kept. */
const MAX_FAILURES = 1_000;

/** Maximum number of addresses of a name. The guard checks each of them for every connection. */
const MAX_ADDRESSES = 256;

/** Codes of responses that say that a name does not exist, or has no address of this family. */
const notFoundCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

const localAddresses: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Resolves the names of everything that the service connects to for others. Its limits are those of the process. */
export const resolveName: Resolve = createNameResolver();

/**
 * Creates a resolver that does not use the platform's `dns.lookup`. That looks up two names at a time for the whole
 * process (`uv__slow_work` of libuv). Each takes 10 s and longer if its name servers do not answer, so a few names stop
 * all others. Here, the lookups of a site wait only for each other ({@link createLookupSlots}).
 *
 * The hosts file and the search domains of the system apply as usual. Of the options, only `order` has an effect: the
 * addresses of both families are always returned.
 */
export function createNameResolver(options: ResolverOptions = {}): Resolve {
  const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf', failureLifetime = 2_000 } = options;
  const { servers, responseTimeout = 2_000, lookupTimeout = 8_000, slots = createLookupSlots() } = options;
  const hasIpv6 = options.hasIpv6 ?? hasPublicIpv6;
  const readHosts = createSystemFile(hostsFile, parseHosts);
  const readSearchRules = createSystemFile(resolverFile, parseSearchRules);
  /** Lookups that are in progress or have just failed, by name. */
  const lookups = new Map<string, Promise<readonly LookupAddress[]>>();

  /** Returns the addresses of a name; an empty list if it has no address. */
  async function lookUp(name: string): Promise<readonly LookupAddress[]> {
    const bare = name.replace(/\.$/, '');
    const known = (await readHosts()).get(bare);
    if (known !== undefined) return known;
    // RFC 6761 §6.3: no name server is asked for these names.
    if (/(?:^|\.)localhost$/.test(bare)) return localAddresses;
    const names = name === bare ? completeNames(name, await readSearchRules()) : [bare];
    const signal = AbortSignal.timeout(lookupTimeout);
    const release = await slots.acquire(siteOf(bare), signal);
    // A new one reads the addresses of the name servers again, and uses a port that nobody can guess.
    const resolver = new Resolver({ timeout: responseTimeout, maxTimeout: responseTimeout, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const listener = addAbortListener(signal, () => resolver.cancel());
    try {
      return await askInTurn(resolver, names, signal);
    } finally {
      listener[Symbol.dispose]();
      release();
    }
  }

  /** Joins the lookup of a name. */
  function join(name: string): Promise<readonly LookupAddress[]> {
    const known = lookups.get(name);
    if (known !== undefined) return known;
    const lookup = lookUp(name);
    lookups.set(name, lookup);
    const forget = () => lookups.delete(name);
    lookup.then(forget, () => {
      if (lookups.size > MAX_FAILURES) forget();
      else setTimeout(forget, failureLifetime).unref();
    });
    return lookup;
  }

  return (hostname, { order }, callback) => {
    join(hostname.toLowerCase()).then(
      (addresses) => {
        const first = order === 'ipv4first' || !hasIpv6() ? 4 : 6;
        const sorted = addresses.toSorted((a, b) => Number(b.family === first) - Number(a.family === first));
        callback(sorted.length > 0 ? null : lookupError('ENOTFOUND', hostname), sorted);
      },
      (cause) => callback(lookupError('EAI_AGAIN', hostname, cause), []),
    );
  };
}

/**
 * Asks for names until one has addresses. A name server that refuses a search domain does not end the search, as in the
 * C library; one that does not answer does.
 *
 * @throws Error for a temporary failure; the signal's reason.
 */
async function askInTurn(
  resolver: Resolver,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  let failure: NodeJS.ErrnoException | undefined;
  for (const name of names) {
    signal.throwIfAborted();
    const answer = await ask(resolver, name);
    if (answer.addresses.length > MAX_ADDRESSES) throw new Error(`${name} has more than ${MAX_ADDRESSES} addresses`);
    if (answer.addresses.length > 0) return answer.addresses;
    failure ??= answer.failure;
    if (answer.failure?.code === 'ETIMEOUT') break;
  }
  if (failure !== undefined) throw failure;
  return [];
}

/** The addresses of a name, and why those of a family are not known. */
interface Answer {
  readonly addresses: readonly LookupAddress[];
  readonly failure: NodeJS.ErrnoException | undefined;
}

/** Asks the name servers for the addresses of both families. */
async function ask(resolver: Resolver, name: string): Promise<Answer> {
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = results.flatMap((result, index) =>
    result.status === 'rejected' ? [] : result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  );
  const failed = results.find((result) => result.status === 'rejected' && !notFoundCodes.has(result.reason.code));
  return { addresses, failure: failed?.status === 'rejected' ? failed.reason : undefined };
}

function hasPublicIpv6(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  // Global unicast addresses are those of 2000::/3.
  return addresses.some(({ family, address }) => family === 'IPv6' && /^[23]/.test(address));
}

/** Returns the error of the system's resolver for a name. */
function lookupError(code: 'ENOTFOUND' | 'EAI_AGAIN', hostname: string, cause?: unknown): NodeJS.ErrnoException {
  return Object.assign(new Error(`lookup ${code} ${hostname}`, { cause }), { code, hostname });
}
