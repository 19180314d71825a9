import { type Exchange, type Handler, RequestError, sendJson } from '../http/exchange.ts';
import type { Host } from '../http/hosts.ts';
import type { Drift, LabPlatform } from './lab-platform.ts';

/** The drifts of the sites, which are off at first. */
export interface Drifts {
  /** Returns a platform's hosts, whose responses follow the drift that is on. */
  hostsOf(platform: LabPlatform, hosts: readonly Host[]): readonly Host[];
  /** Handles `/_lab/drift?p1=entries&p4=files`: POST turns on these drifts and all others off; GET lists the ones on. */
  readonly control: Handler;
}

/** Creates the switches of the platforms' drifts. */
export function createDrifts(platforms: readonly LabPlatform[]): Drifts {
  let on: Readonly<Record<string, string>> = {};
  return {
    hostsOf({ id, drifts }, hosts) {
      const changed = (exchange: Exchange): Exchange => {
        const drift = drifts[on[id] ?? ''];
        return drift === undefined ? exchange : { ...exchange, change: (bytes) => rename(bytes, drift) };
      };
      return hosts.map(({ name, handle }) => ({ name, handle: (exchange) => handle(changed(exchange)) }));
    },
    control(exchange) {
      if (exchange.request.method === 'POST') {
        const chosen = Object.fromEntries(exchange.url.searchParams);
        for (const [id, name] of Object.entries(chosen)) {
          const drifts = platforms.find((platform) => platform.id === id)?.drifts ?? {};
          if (!Object.hasOwn(drifts, name)) throw new RequestError(`${id} has no drift called ${name}.`);
        }
        on = chosen;
      }
      sendJson(exchange, 200, on);
    },
  };
}

/** Renames members of JSON, which may be inside a string of JSON or a page. */
function rename(bytes: Buffer, { renames }: Drift): Buffer {
  const names = new RegExp(`"(${renames.join('|')})(\\\\*":)`, 'g');
  return Buffer.from(bytes.toString('latin1').replace(names, '"$1Next$2'), 'latin1');
}
