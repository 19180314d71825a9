import { setting } from '../../settings/setting.ts';
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
import {
  type ClientProfile,
  defaultMediaOrder,
  mediaParts,
  type ProfileMembers,
  playerEndpoints,
  resolveProfiles,
} from './client-profiles.ts';

/** Request details that change with YouTube. */
export interface Site {
  /** The client of everything except media. */
  readonly web: ClientProfile;
  /** The profiles to request media with, in the preferred order. */
  readonly mediaOrder: readonly ClientProfile[];
}

/** The built-in values. */
export const defaultSite: Site = siteOf({}, defaultMediaOrder);

/**
 * The setting that changes client profiles or adds some. A built-in profile keeps the members that the setting omits;
 * `device` is replaced as a whole.
 */
export const siteSetting = setting({
  description:
    'JSON that changes the requests to p1, by client profile: {"WEB":{"version":"2.…"},"mediaOrder":["VISIONOS","ANDROID"]}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read(text): Site {
    const { mediaOrder = defaultMediaOrder, ...changes } = parseJsonObject(text);
    return siteOf(readProfiles(changes, ''), mediaOrder);
  },
});

function siteOf(changes: Readonly<Record<string, ProfileMembers>>, mediaOrder: unknown): Site {
  const profiles = resolveProfiles(changes);
  const profileNamed: MemberReader<ClientProfile> = (name, member) => {
    const profile = typeof name === 'string' ? profiles.get(name) : undefined;
    if (profile !== undefined) return profile;
    throw new Error(`has an unknown client in ${member}; use ${[...profiles.keys()].join(', ')}`);
  };
  return {
    web: profileNamed('WEB', 'WEB'),
    mediaOrder: listOf(profileNamed, 8)(mediaOrder, 'mediaOrder'),
  };
}

const profileNamePattern = /^[A-Z0-9_]{1,40}$/;

const profileName = textLike(profileNamePattern, 'a name of 1 to 40 capital letters, digits and underscores');

const deviceText = textLike(/^[\x20-\x7e]{1,200}$/, 'a number, or 1 to 200 visible ASCII characters');

const readProfiles = recordOf(
  profileNamePattern,
  membersOf<ProfileMembers>({
    basedOn: profileName,
    clientName: profileName,
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
    media: oneOf(mediaParts),
    playerParams: textLike(/^[\w%=+/-]{1,500}$/, '1 to 500 characters of Base64'),
    lastSeenToWork: textLike(/^[\d-]{4,10}$/, 'a day or month such as 2026-11'),
  }),
);
