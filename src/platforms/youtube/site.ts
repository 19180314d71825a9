import { setting } from '../../settings/setting.ts';
import { desktopBrowser } from '../browsers.ts';
import {
  headerText,
  httpsOrigin,
  listOf,
  type MemberReader,
  membersOf,
  oneOf,
  parseJsonObject,
  recordOf,
  textLike,
  truthValue,
} from '../json-changes.ts';

/** How a client requests the player: directly, or as an entry of the shorts feed. */
const playerEndpoints = ['player', 'reel'] as const;

/** How requests identify as one client. */
export interface InnertubeClient {
  /** The value of `clientName` in a request. */
  readonly name: string;
  /** The number in `X-YouTube-Client-Name`. */
  readonly id: number;
  readonly version: string;
  /** The origin that its requests are sent to. */
  readonly origin: string;
  readonly userAgent: string;
  /** Members of `context.client` beside name, version and language. */
  readonly device: Readonly<Record<string, string | number>>;
  /** Whether its requests require a visitor ID that was issued to the same client. */
  readonly visitor: boolean;
  /** The endpoint that its player is requested from. */
  readonly endpoint: (typeof playerEndpoints)[number];
  /** `params` of its player requests. */
  readonly playerParams?: string;
  /** Day or month in which it was last seen to work. */
  readonly lastSeenToWork?: string;
}

/** Request details that change with YouTube. */
export interface Site {
  /** The client of everything except media. */
  readonly web: InnertubeClient;
  /** Clients to identify as when requesting media, tried in order until one has it. */
  readonly mediaOrder: readonly InnertubeClient[];
}

/**
 * The clients, based on recordings and open source programs. WEB returns metadata and lists. VISIONOS returns links
 * that need neither a signature nor a token. ANDROID returns one muxed file and the best texts for a refusal; its own
 * player requires attestation, but the one for its shorts feed plays any video (seen 2026-07). A WEB version some
 * months old still works; the site's `/sw.js_data` contains the current one.
 */
export const builtInClients = {
  WEB: {
    name: 'WEB',
    id: 1,
    version: '2.20260630.03.00',
    origin: 'https://www.youtube.com',
    userAgent: desktopBrowser,
    device: { platform: 'DESKTOP', originalUrl: 'https://www.youtube.com' },
    visitor: false,
    endpoint: 'player',
    lastSeenToWork: '2026-07-02',
  },
  VISIONOS: {
    name: 'VISIONOS',
    id: 101,
    version: '1.02',
    origin: 'https://youtubei.googleapis.com',
    // The media must be fetched with the same user agent (seen 2026-08).
    userAgent: 'com.google.visionos.youtube/1.02(RealityDevice14,1; U; CPU visionOS 25_6_0 like Mac OS X; US)',
    device: {
      platform: 'MOBILE',
      clientScreen: 'WATCH',
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice14,1',
      osName: 'visionOS',
      osVersion: '25.6.0.23O471',
    },
    visitor: true,
    endpoint: 'player',
    lastSeenToWork: '2026-09',
  },
  ANDROID: {
    name: 'ANDROID',
    id: 3,
    version: '21.03.36',
    origin: 'https://youtubei.googleapis.com',
    userAgent: 'com.google.android.youtube/21.03.36 (Linux; U; Android 15; US) gzip',
    device: { platform: 'MOBILE', clientScreen: 'WATCH', osName: 'Android', osVersion: '16', androidSdkVersion: 36 },
    visitor: true,
    endpoint: 'reel',
    lastSeenToWork: '2026-07-02',
  },
} as const satisfies Record<string, InnertubeClient>;

/** The built-in values. */
export const defaultSite: Site = {
  web: builtInClients.WEB,
  mediaOrder: [builtInClients.VISIONOS, builtInClients.ANDROID],
};

/**
 * The setting that changes clients or adds some. A built-in client keeps the members that the setting omits; `device` is
 * replaced as a whole.
 */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p1, by client: {"WEB":{"version":"2.…"},"mediaOrder":["VISIONOS","ANDROID"]}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { mediaOrder = defaultSite.mediaOrder.map(({ name }) => name), ...changes } = parseJsonObject(text);
    const clients = new Map<string, InnertubeClient>(Object.entries(builtInClients));
    for (const [name, changed] of Object.entries(readClients(changes, ''))) {
      clients.set(name, clientOf(name, clients.get(name), changed));
    }
    const clientNamed: MemberReader<InnertubeClient> = (name, member) => {
      const client = typeof name === 'string' ? clients.get(name) : undefined;
      if (client === undefined)
        throw new Error(`has an unknown client in ${member}; use ${[...clients.keys()].join(', ')}`);
      return client;
    };
    return {
      web: clientNamed('WEB', 'WEB'),
      mediaOrder: listOf(clientNamed, 8)(mediaOrder, 'mediaOrder'),
    };
  },
});

const deviceText = textLike(/^[\x20-\x7e]{1,200}$/, 'a number, or 1 to 200 visible ASCII characters');

const readClients = recordOf(
  /^[A-Z0-9_]{1,40}$/,
  membersOf<Omit<InnertubeClient, 'name'>>({
    id: (value, member) => {
      if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value);
      throw new Error(`has an invalid ${member}: it must be a positive whole number`);
    },
    version: textLike(/^[\w.-]{1,60}$/, 'a version such as 1.02'),
    origin: httpsOrigin,
    userAgent: headerText,
    device: recordOf(/^[A-Za-z]\w{0,39}$/, (value, member) =>
      typeof value === 'number' ? value : deviceText(value, member),
    ),
    visitor: truthValue,
    endpoint: oneOf(playerEndpoints),
    playerParams: textLike(/^[\w%=+/-]{1,500}$/, '1 to 500 characters of Base64'),
    lastSeenToWork: textLike(/^[\d-]{4,10}$/, 'a day or month such as 2026-11'),
  }),
);

/** Returns a built-in client with the operator's changes, or a new one. */
function clientOf(
  name: string,
  existing: InnertubeClient | undefined,
  changes: Partial<InnertubeClient>,
): InnertubeClient {
  if (existing !== undefined) return { ...existing, ...changes };
  const { id, version, origin, userAgent, device, visitor, endpoint, ...optional } = changes;
  if (
    id === undefined ||
    version === undefined ||
    origin === undefined ||
    userAgent === undefined ||
    device === undefined ||
    visitor === undefined ||
    endpoint === undefined
  ) {
    throw new Error(`must have id, version, origin, userAgent, device, visitor and endpoint in the new client ${name}`);
  }
  return { name, id, version, origin, userAgent, device, visitor, endpoint, ...optional };
}
