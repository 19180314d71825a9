import { isFields } from '../../parsing/values.ts';

/** The ways in which the service introduces itself to YouTube. */
export const clientNames = ['WEB', 'VISIONOS', 'ANDROID'] as const;

/** A name of {@link clientNames}; the value of `clientName` in a request. */
export type ClientName = (typeof clientNames)[number];

/** How one client introduces itself. */
export interface InnertubeClient {
  /** The number in `X-YouTube-Client-Name`. */
  readonly id: number;
  readonly version: string;
  /** Where its requests go. */
  readonly origin: string;
  readonly userAgent: string;
  /** Members of `context.client` beside name, version and language. */
  readonly device: Readonly<Record<string, string | number>>;
  /** Whether its requests must carry a visitor's id that was given out to this very client. */
  readonly visitor: boolean;
  /** Day or month in which it was last seen to work. */
  readonly lastSeenToWork: string;
}

/** Everything about the clients that changes with YouTube. */
export interface ClientSettings {
  readonly clients: Readonly<Record<ClientName, InnertubeClient>>;
  /** Clients that are asked for media, one after the other until one has them. */
  readonly mediaOrder: readonly ClientName[];
}

/**
 * The clients as recordings and the field's open source programs show them. WEB gives metadata and lists, VISIONOS
 * links that need neither a signature nor a token, ANDROID (asked by `reel/reel_item_watch`) one muxed file and the
 * best words for a refusal. A WEB version some months old still works; `/sw.js_data` of the site names the current one.
 */
export const defaultClients: ClientSettings = {
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
      // The media must be fetched with the same words (seen 2026-08).
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
 * The clients with an operator's changes: JSON such as `{"VISIONOS":{"version":"1.04"},"mediaOrder":["VISIONOS"]}`.
 * A member that is left out stays as it is; `device` is replaced as a whole.
 *
 * @throws Error that says what cannot be used, for the list of wrong settings.
 */
export function readClients(text: string): ClientSettings {
  const changes = parseChanges(text);
  const clients: Record<ClientName, InnertubeClient> = { ...defaultClients.clients };
  let { mediaOrder } = defaultClients;
  for (const [name, change] of Object.entries(changes)) {
    if (name === 'mediaOrder') mediaOrder = readOrder(change);
    else clients[clientName(name)] = changed(clientName(name), change);
  }
  return { clients, mediaOrder };
}

function parseChanges(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  if (!isFields(value)) throw new Error('must be a JSON object');
  return value;
}

function clientName(name: unknown): ClientName {
  const known = clientNames.find((candidate) => candidate === name);
  if (known === undefined) throw new Error(`must name clients of ${clientNames.join(', ')}, or mediaOrder`);
  return known;
}

function readOrder(value: unknown): readonly ClientName[] {
  if (!Array.isArray(value) || value.length === 0) throw new Error('must have a list of clients as mediaOrder');
  return value.map(clientName);
}

function changed(name: ClientName, change: unknown): InnertubeClient {
  if (!isFields(change)) throw new Error(`must have an object as ${name}`);
  const known = defaultClients.clients[name];
  for (const [member, value] of Object.entries(change)) {
    if (!Object.hasOwn(known, member)) throw new Error(`knows no ${name}.${member}`);
    const expected = known[member as keyof InnertubeClient];
    if (typeof value !== typeof expected || value === null) throw new Error(`has a wrong ${name}.${member}`);
    if (member === 'origin' && URL.parse(String(value))?.origin !== value) {
      throw new Error(`must have an origin such as ${known.origin} as ${name}.origin`);
    }
    if (/[\r\n]/.test(String(value))) throw new Error(`has a line break in ${name}.${member}`);
  }
  // Each member was just seen to be of the type that the known client has.
  return { ...known, ...(change as Partial<InnertubeClient>) };
}
