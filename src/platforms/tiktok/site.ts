import { setting } from '../../settings/setting.ts';
import { jsonChanges, textLike } from '../json-changes.ts';

/** The browsers that requests identify as. TikTok serves them different pages of a post. */
const clientNames = ['desktop', 'mobile'] as const;

/** A name of `clientNames`. */
export type ClientName = (typeof clientNames)[number];

/** The value of `User-Agent`, by client. */
type UserAgents = Readonly<Record<ClientName, string>>;

/** Request details that change with TikTok. */
export interface Site {
  readonly userAgents: UserAgents;
}

/**
 * Ordinary browsers of 2026. The desktop one gets the richest page (last seen 2026-07-16). The mobile one gets a
 * separate page with fewer fields (last seen 2026-05-01), but more reliably, according to field notes of 2026-09.
 */
export const defaultSite: Site = {
  userAgents: {
    desktop:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    mobile:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.5 Mobile/15E148 Safari/604.1',
  },
};

const userAgent = textLike(/^[\x20-\x7e]{1,512}$/);

const readChanges = jsonChanges<UserAgents>(
  { desktop: userAgent, mobile: userAgent },
  () => `must only contain the members ${clientNames.join(', ')}`,
);

/** The setting that changes user agents. */
export const siteSetting = setting({
  description:
    'JSON that changes the user agents of requests to p4: {"desktop":"Mozilla/5.0 …","mobile":"Mozilla/5.0 …"}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read: (text): Site => ({ userAgents: { ...defaultSite.userAgents, ...readChanges(text) } }),
});
