import { MillraceError } from '../contract/errors.ts';
import { ConfigError } from '../settings/config-error.ts';
import type { SettingValues } from '../settings/setting.ts';
import type { Resolve } from './connect.ts';
import { createEgress, type Egress, type EgressSettings } from './egress.ts';
import { direct, type ProxyServer, worldwide } from './proxies.ts';
import type { egressSettings } from './settings.ts';
import { openTunnel } from './tunnel.ts';

/** A way out: without a proxy, or through one of the operator's. */
export interface Exit extends Egress {
  /**
   * `direct`; else the country in lower case, or `worldwide`, and which of its proxies in the order of the settings:
   * `fr-2`. Links name it, so it tells nothing of the proxy.
   */
  readonly id: string;
  /** Upper-case code, where it is known. */
  readonly country?: string;
}

/** All ways out. */
export interface Exits {
  /** Upper-case codes of the countries that there are exits in. */
  readonly countries: readonly string[];
  /**
   * The exits that a request can take, the best one first; those of one place take turns. None where there is none in
   * the country.
   *
   * @param country Upper-case code, or `worldwide` for any exit; absent: as the operator has set.
   */
  serving(country?: string): readonly Exit[];
  /**
   * The exit of an id, for what was found through it; where it is gone, another of its country.
   *
   * @throws MillraceError `unsupported_proxy_for_geo_targeting` where there is none in its country any more.
   */
  kept(id: string): Exit;
  /** The exit of jobs that callers describe themselves. */
  readonly ofJobs: Exit;
  close(): Promise<void>;
}

/** Settings of the exits. */
export type ExitSettings = EgressSettings &
  Pick<SettingValues<typeof egressSettings>, 'EGRESS_PROXIES' | 'EGRESS_DEFAULT' | 'RENDER_PROXY'>;

/**
 * Opens every exit of the settings.
 *
 * @throws ConfigError where the default is a country without an exit.
 */
export function openExits(settings: ExitSettings, resolve?: Resolve): Exits {
  const { EGRESS_PROXIES, EGRESS_DEFAULT, RENDER_PROXY } = settings;
  const straight: Exit = { id: direct, ...createEgress(settings, resolve) };
  const through = (server: ProxyServer, id: string): Exit => ({
    id,
    ...createEgress(settings, resolve, (to) => openTunnel(server, id, to)),
  });
  const places = new Map<string, Exit[]>();
  for (const { country, server } of EGRESS_PROXIES) {
    const place = country ?? worldwide;
    const exits = places.get(place) ?? [];
    const exit = through(server, `${place.toLowerCase()}-${exits.length + 1}`);
    places.set(place, [...exits, country === undefined ? exit : { ...exit, country }]);
  }
  const ofJobs = RENDER_PROXY === undefined ? straight : through(RENDER_PROXY, 'render');
  const all = new Set([straight, ofJobs, ...[...places.values()].flat()]);

  const turns = new Map<string, number>();
  /** The exits of a place, each time another one first. */
  const inTurn = (place: string): readonly Exit[] => {
    const exits = places.get(place) ?? [];
    const first = (turns.get(place) ?? 0) % Math.max(1, exits.length);
    turns.set(place, first + 1);
    return [...exits.slice(first), ...exits.slice(0, first)];
  };
  const countries = [...places.keys()].filter((place) => place !== worldwide);

  const serving = (country: string): readonly Exit[] => {
    switch (country) {
      case direct:
        return [straight];
      case worldwide:
        return [...inTurn(worldwide), straight, ...countries.flatMap(inTurn)];
      default:
        return inTurn(country);
    }
  };
  if (EGRESS_DEFAULT !== direct && EGRESS_DEFAULT !== worldwide && !places.has(EGRESS_DEFAULT)) {
    throw new ConfigError('EGRESS_DEFAULT must be direct, worldwide or a country of EGRESS_PROXIES.');
  }
  return {
    countries,
    ofJobs,
    serving: (country = EGRESS_DEFAULT) => serving(country),
    kept(id) {
      const exact = [...all].find((exit) => exit.id === id);
      if (exact !== undefined) return exact;
      const place = id.replace(/-\d+$/, '');
      const [other] = places.get(place === worldwide ? place : place.toUpperCase()) ?? [];
      if (other !== undefined) return other;
      const message = `The exit ${id}, which this link was made for, is there no more. Request a fresh link.`;
      throw new MillraceError('unsupported_proxy_for_geo_targeting', message);
    },
    async close() {
      await Promise.all([...all].map((exit) => exit.close()));
    },
  };
}
