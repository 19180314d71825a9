import { isFields } from '../../parsing/values.ts';

/** The browsers as which the service asks TikTok: they are served different pages of a post. */
export const clientNames = ['desktop', 'mobile'] as const;

/** A name of {@link clientNames}. */
export type ClientName = (typeof clientNames)[number];

/** What the service says it is, by client: the value of `User-Agent`. */
export type UserAgents = Readonly<Record<ClientName, string>>;

/**
 * Plain browsers of 2026. The desktop one is served the richest page (last seen 2026-07-16), the mobile one a page of
 * its own with fewer facts (last seen 2026-05-01), and more readily, as field notes of 2026-09 say.
 */
export const defaultUserAgents: UserAgents = {
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  mobile:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/18.5 Mobile/15E148 Safari/604.1',
};

/**
 * The user agents with an operator's changes: JSON such as `{"desktop":"Mozilla/5.0 …"}`.
 *
 * @throws Error that says what cannot be used, for the list of wrong settings.
 */
export function readUserAgents(json: string): UserAgents {
  let changes: unknown;
  try {
    changes = JSON.parse(json);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  if (!isFields(changes)) throw new Error('must be a JSON object');
  const agents: Record<ClientName, string> = { ...defaultUserAgents };
  for (const [name, agent] of Object.entries(changes)) {
    const known = clientNames.find((candidate) => candidate === name);
    if (known === undefined) throw new Error(`must name clients of ${clientNames.join(', ')}`);
    if (typeof agent !== 'string' || !/^[\x20-\x7e]{1,512}$/.test(agent)) throw new Error(`has a wrong ${name}`);
    agents[known] = agent;
  }
  return agents;
}
