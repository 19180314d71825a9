import { MillraceError } from '../contract/errors.ts';
import { ConfigError } from '../settings/config-error.ts';
import type { SettingValues } from '../settings/setting.ts';
import { type CheckUrl, createEgress, createUrlCheck, type EgressParts, type EgressSettings } from './create-egress.ts';
import type { Egress } from './egress.ts';
import { direct, type ProxyServer, worldwide } from './proxies/proxy-server.ts';
import { openTunnel } from './proxies/tunnel.ts';
import type { egressSettings } from './settings.ts';

/** An exit to the network: direct, or through one of the operator's proxies. */
export interface Exit extends Egress {
  /**
   * ID of the exit: `direct`; otherwise the lower-case country or `worldwide`, and the number of its proxy in the
   * settings, such as `fr-2`. Links contain it, so it reveals nothing about the proxy.
   */
  readonly id: string;
  /** Upper-case code, if known. */
  readonly country?: string;
}

/** All exits. */
export interface Exits {
  /** Upper-case codes of the countries with exits. */
  readonly countries: readonly string[];
  /**
   * Returns the exits that a request can use, the preferred one first, in round robin among exits of the same country.
   * Empty if the country has no exit.
   *
   * @param country Upper-case code, or `worldwide` for any exit; absent: the operator's default.
   */
  forCountry(country?: string): readonly Exit[];
  /**
   * Returns the exit with an ID, or another one in its country if it no longer exists.
   *
   * @throws MillraceError `unsupported_proxy_for_geo_targeting` if its country has no exit any more.
   */
  byId(id: string): Exit;
  /** The exit for direct jobs, whose inputs the caller specifies. */
  readonly forJobs: Exit;
  /** Checks whether requests to a URL are permitted, whatever their exit. */
  readonly checkUrl: CheckUrl;
  close(): Promise<void>;
}

/** Settings of the exits. */
export type ExitSettings = EgressSettings &
  Pick<SettingValues<typeof egressSettings>, 'EGRESS_PROXIES' | 'EGRESS_DEFAULT' | 'RENDER_PROXY'>;

/**
 * Opens every exit in the settings.
 *
 * @param parts How names are resolved, and which hosts are blocked.
 * @throws ConfigError if the default is a country without an exit.
 */
export function openExits(settings: ExitSettings, parts: Omit<EgressParts, 'tunnel'> = {}): Exits {
  const { EGRESS_PROXIES, EGRESS_DEFAULT, RENDER_PROXY } = settings;
  const directExit: Exit = { id: direct, ...createEgress(settings, parts) };
  const viaProxy = (server: ProxyServer, id: string): Exit => ({
    id,
    ...createEgress(settings, { ...parts, tunnel: (to) => openTunnel(server, id, to) }),
  });
  const exitsByPlace = new Map<string, Exit[]>();
  for (const { country, server } of EGRESS_PROXIES) {
    const place = country ?? worldwide;
    const exits = exitsByPlace.get(place) ?? [];
    const exit = viaProxy(server, `${place.toLowerCase()}-${exits.length + 1}`);
    exitsByPlace.set(place, [...exits, country === undefined ? exit : { ...exit, country }]);
  }
  const jobExit = RENDER_PROXY === undefined ? directExit : viaProxy(RENDER_PROXY, 'render');
  const allExits = new Set([directExit, jobExit, ...[...exitsByPlace.values()].flat()]);

  const turns = new Map<string, number>();
  /** Returns the exits for a country, starting with a different one each time. */
  const roundRobin = (place: string): readonly Exit[] => {
    const exits = exitsByPlace.get(place) ?? [];
    const first = (turns.get(place) ?? 0) % Math.max(1, exits.length);
    turns.set(place, first + 1);
    return [...exits.slice(first), ...exits.slice(0, first)];
  };
  const countries = [...exitsByPlace.keys()].filter((place) => place !== worldwide);

  const exitsFor = (country: string): readonly Exit[] => {
    switch (country) {
      case direct:
        return [directExit];
      case worldwide:
        return [...roundRobin(worldwide), directExit, ...countries.flatMap(roundRobin)];
      default:
        return roundRobin(country);
    }
  };
  if (EGRESS_DEFAULT !== direct && EGRESS_DEFAULT !== worldwide && !exitsByPlace.has(EGRESS_DEFAULT)) {
    throw new ConfigError('EGRESS_DEFAULT must be direct, worldwide or a country of EGRESS_PROXIES.');
  }
  return {
    countries,
    forJobs: jobExit,
    checkUrl: createUrlCheck(settings, parts),
    forCountry: (country = EGRESS_DEFAULT) => exitsFor(country),
    byId(id) {
      const exact = [...allExits].find((exit) => exit.id === id);
      if (exact !== undefined) return exact;
      const place = id.replace(/-\d+$/, '');
      const [other] = exitsByPlace.get(place === worldwide ? place : place.toUpperCase()) ?? [];
      if (other !== undefined) return other;
      const message = `The exit ${id} that this link was created for no longer exists. Request a new link.`;
      throw new MillraceError('unsupported_proxy_for_geo_targeting', message);
    },
    async close() {
      await Promise.all([...allExits].map((exit) => exit.close()));
    },
  };
}
