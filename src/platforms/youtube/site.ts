import { isFields } from '../../parsing/values.ts';
import { setting } from '../../settings/setting.ts';
import { jsonChanges } from '../json-changes.ts';

/** The YouTube clients that requests identify as. */
export const clientNames = ['WEB', 'VISIONOS', 'ANDROID'] as const;

/** A name of {@link clientNames}; the value of `clientName` in a request. */
export type ClientName = (typeof clientNames)[number];

/** How requests identify as one client. */
export interface InnertubeClient {
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
  /** Day or month in which it was last seen to work. */
  readonly lastSeenToWork: string;
}

/** Request details that change with YouTube. */
export interface Site {
  readonly clients: Readonly<Record<ClientName, InnertubeClient>>;
  /** Clients to identify as when requesting media, tried in order until one has it. */
  readonly mediaOrder: readonly ClientName[];
}

/**
 * The clients, based on recordings and open source programs. WEB returns metadata and lists. VISIONOS returns links
 * that need neither a signature nor a token. ANDROID (through `reel/reel_item_watch`) returns one muxed file and the
 * best texts for a refusal. A WEB version some months old still works; the site's `/sw.js_data` contains the current
 * one.
 */
export const defaultSite: Site = {
  clients: {
    WEB: {
      id: 1,
      version: '2.20260630.03.00',
      origin: 'https://www.youtube.com',
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
        'Chrome/142.0.0.0 Safari/537.36',
      device: { platform: 'DESKTOP', originalUrl: 'https://www.youtube.com' },
      visitor: false,
      lastSeenToWork: '2026-07-02',
    },
    VISIONOS: {
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
      lastSeenToWork: '2026-09',
    },
    ANDROID: {
      id: 3,
      version: '21.03.36',
      origin: 'https://youtubei.googleapis.com',
      userAgent: 'com.google.android.youtube/21.03.36 (Linux; U; Android 15; US) gzip',
      device: { platform: 'MOBILE', clientScreen: 'WATCH', osName: 'Android', osVersion: '16', androidSdkVersion: 36 },
      visitor: true,
      lastSeenToWork: '2026-07-02',
    },
  },
  mediaOrder: ['VISIONOS', 'ANDROID'],
};

/**
 * The setting that overrides parts of clients. Members that it omits are unchanged; `device` is replaced as a whole.
 */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p1, by client: {"WEB":{"version":"2.…"},"mediaOrder":["VISIONOS","ANDROID"]}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { mediaOrder = defaultSite.mediaOrder, ...clients } = readChanges(text);
    return { clients: { ...defaultSite.clients, ...clients }, mediaOrder };
  },
});

const readChanges = jsonChanges<Site['clients'] & Pick<Site, 'mediaOrder'>>(
  { WEB: readClient, VISIONOS: readClient, ANDROID: readClient, mediaOrder: readMediaOrder },
  unknownClientMessage,
);

function unknownClientMessage(): string {
  return `must only contain the clients ${clientNames.join(', ')}, or mediaOrder`;
}

function readClientName(value: unknown): ClientName {
  const name = clientNames.find((candidate) => candidate === value);
  if (name === undefined) throw new Error(unknownClientMessage());
  return name;
}

function readMediaOrder(value: unknown): readonly ClientName[] {
  if (!Array.isArray(value) || value.length === 0) throw new Error('must have a list of clients as mediaOrder');
  return value.map(readClientName);
}

function readClient(change: unknown, member: string): InnertubeClient {
  if (!isFields(change)) throw new Error(`must have an object as ${member}`);
  const name = readClientName(member);
  const client = defaultSite.clients[name];
  for (const [key, value] of Object.entries(change)) {
    if (!Object.hasOwn(client, key)) throw new Error(`contains the unknown member ${name}.${key}`);
    const builtIn = client[key as keyof InnertubeClient];
    if (typeof value !== typeof builtIn || value === null) throw new Error(`has an invalid ${name}.${key}`);
    if (key === 'origin' && URL.parse(String(value))?.origin !== value) {
      throw new Error(`must have an origin such as ${client.origin} as ${name}.origin`);
    }
    if (/[\r\n]/.test(String(value))) throw new Error(`has a line break in ${name}.${key}`);
  }
  // Safe: each member was just checked to have the built-in client's type.
  return { ...client, ...(change as Partial<InnertubeClient>) };
}
