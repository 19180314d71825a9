import { desktopBrowser } from '../browsers.ts';

/** How a client requests the player: directly, or as an entry of the shorts feed. */
export const playerEndpoints = ['player', 'reel'] as const;

/** Which part of a player's response a profile uses: the files, or the HLS playlists. */
export const mediaParts = ['files', 'hls'] as const;

/** How requests identify as one client, and which media of its player are used. */
export interface ClientProfile {
  /** Name of the profile in `P1_CLIENTS`. */
  readonly name: string;
  /** The value of `clientName` in a request: the InnerTube client that the profile identifies as. */
  readonly clientName: string;
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
  /** A stream that consists of a playlist alone, such as a live stream, is used by every profile. */
  readonly media: (typeof mediaParts)[number];
  /** Day or month in which it was last seen to work. */
  readonly lastSeenToWork?: string;
}

/** The members of a profile that the built-in values or the operator set. */
export interface ProfileMembers extends Partial<Omit<ClientProfile, 'name'>> {
  /** Name of the profile whose members apply where this one has none. */
  readonly basedOn?: string;
}

/**
 * The built-in profiles, based on recordings and open source programs. WEB returns metadata and lists. VISIONOS returns
 * links that need neither a signature nor a token. ANDROID returns one muxed file and the best texts for a refusal; its
 * own player requires attestation, but the one for its shorts feed plays any video (seen 2026-07). A WEB version some
 * months old still works; the site's `/sw.js_data` contains the current one.
 */
export const builtInProfiles: Readonly<Record<string, ProfileMembers>> = {
  WEB: {
    id: 1,
    version: '2.20260630.03.00',
    origin: 'https://www.youtube.com',
    userAgent: desktopBrowser,
    device: { platform: 'DESKTOP', originalUrl: 'https://www.youtube.com' },
    visitor: false,
    endpoint: 'player',
    lastSeenToWork: '2026-07-02',
  },
  // NewPipeExtractor's identity since 2026-08, which gets links where 1.02 does not (WizeStream 233, 2026-08-26).
  VISIONOS: {
    id: 101,
    version: '1.04',
    origin: 'https://youtubei.googleapis.com',
    // The media must be fetched with the same user agent (seen 2026-08).
    userAgent: 'com.google.visionos.youtube/1.04(RealityDevice17,1; U; CPU visionOS 26_6_0 like Mac OS X; US)',
    device: {
      platform: 'MOBILE',
      clientScreen: 'WATCH',
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice17,1',
      osName: 'visionOS',
      osVersion: '26.6.0.23O770',
    },
    visitor: true,
    endpoint: 'player',
    lastSeenToWork: '2026-09',
  },
  // In the recordings of 2026-06. NewPipeExtractor's identity until 2026-08.
  VISIONOS_1_02: {
    basedOn: 'VISIONOS',
    version: '1.02',
    userAgent: 'com.google.visionos.youtube/1.02(RealityDevice14,1; U; CPU visionOS 25_6_0 like Mac OS X; US)',
    device: {
      platform: 'MOBILE',
      clientScreen: 'WATCH',
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice14,1',
      osName: 'visionOS',
      osVersion: '25.6.0.23O471',
    },
    lastSeenToWork: '2026-09',
  },
  // The identity of yt-dlp (2026-08-20) and YouTube.js 18.1.0.
  VISIONOS_SAFARI: {
    basedOn: 'VISIONOS',
    version: '1.02',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_7_3) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    device: {
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice17,1',
      osName: 'visionOS',
      osVersion: '26.5.23O471',
    },
    lastSeenToWork: '2026-08-20',
  },
  // The recorded responses of 2026-06 contain the playlist. It needs no request beyond that of VISIONOS.
  VISIONOS_HLS: { basedOn: 'VISIONOS', media: 'hls', lastSeenToWork: '2026-06' },
  ANDROID: {
    id: 3,
    version: '21.03.36',
    origin: 'https://youtubei.googleapis.com',
    userAgent: 'com.google.android.youtube/21.03.36 (Linux; U; Android 15; US) gzip',
    device: { platform: 'MOBILE', clientScreen: 'WATCH', osName: 'Android', osVersion: '16', androidSdkVersion: 36 },
    visitor: true,
    endpoint: 'reel',
    lastSeenToWork: '2026-07-02',
  },
};

/** The order in which profiles are asked for media. */
export const defaultMediaOrder: readonly string[] = [
  'VISIONOS',
  'VISIONOS_1_02',
  'VISIONOS_SAFARI',
  'VISIONOS_HLS',
  'ANDROID',
];

/**
 * Returns all profiles by name. A change of a profile also applies to the profiles that are based on it, except for the
 * members that they set themselves.
 *
 * @param changes Changes of built-in profiles, and new ones.
 * @throws Error for a new profile that lacks members, or for an unusable `basedOn`.
 */
export function resolveProfiles(
  changes: Readonly<Record<string, ProfileMembers>> = {},
): ReadonlyMap<string, ClientProfile> {
  const members = new Map(Object.entries(builtInProfiles));
  for (const [name, changed] of Object.entries(changes)) members.set(name, { ...members.get(name), ...changed });
  return new Map(
    [...members].map(([name, own]) => [name, complete(name, { ...baseOf(name, own.basedOn, members), ...own })]),
  );
}

function baseOf(
  name: string,
  basedOn: string | undefined,
  members: ReadonlyMap<string, ProfileMembers>,
): ProfileMembers {
  if (basedOn === undefined) return {};
  const base = members.get(basedOn);
  if (base === undefined || base.basedOn !== undefined) {
    throw new Error(`has an invalid ${name}.basedOn: it must name a profile that is not based on another one`);
  }
  return { clientName: basedOn, ...base };
}

function complete(name: string, { basedOn, ...members }: ProfileMembers): ClientProfile {
  const { id, version, origin, userAgent, device, visitor, endpoint } = members;
  if (
    id === undefined ||
    version === undefined ||
    origin === undefined ||
    userAgent === undefined ||
    device === undefined ||
    visitor === undefined ||
    endpoint === undefined
  ) {
    throw new Error(
      `must have id, version, origin, userAgent, device, visitor and endpoint, or basedOn, in the new client ${name}`,
    );
  }
  const required = { id, version, origin, userAgent, device, visitor, endpoint };
  return { clientName: name, media: 'files', ...members, ...required, name };
}

/** Returns a text that is the same for profiles whose player requests are the same. */
export function requestKey({ name, media, lastSeenToWork, ...request }: ClientProfile): string {
  return JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
