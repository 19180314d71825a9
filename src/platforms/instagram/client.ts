import { isFields } from '../../parsing/values.ts';

/** How the service introduces itself to Instagram; all of it changes with the site. */
export interface InstagramClient {
  readonly userAgent: string;
  /** `X-IG-App-ID` of the site's web client. */
  readonly appId: string;
  /** `X-ASBD-ID`. */
  readonly asbdId: string;
  /** Number of the query that gives one post to signed-out visitors. A number that the page tells goes before it. */
  readonly postDocId: string;
  /** Number of the query that gives a reel and those after it. */
  readonly clipsDocId: string;
  /** Number of the older query of a post by its shortcode. A number that the page tells goes before it. */
  readonly shortcodeDocId: string;
}

/** Values last seen to work: user agent and ids in 2026-10, `clipsDocId` in 2026-08, `shortcodeDocId` in 2026-07. */
export const defaultInstagramClient: InstagramClient = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  appId: '936619743392459',
  asbdId: '359341',
  postDocId: '27130156389949648',
  clipsDocId: '27695069083459414',
  shortcodeDocId: '8845758582119845',
};

/**
 * The client with an operator's changes: JSON such as `{"postDocId":"271…"}`. A member that is left out stays.
 *
 * @throws Error that says what cannot be used, for the list of wrong settings.
 */
export function readInstagramClient(json: string): InstagramClient {
  let changes: unknown;
  try {
    changes = JSON.parse(json);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  if (!isFields(changes)) throw new Error('must be a JSON object');
  for (const [member, value] of Object.entries(changes)) {
    if (!Object.hasOwn(defaultInstagramClient, member)) throw new Error(`knows no ${member}`);
    const allowed = member === 'userAgent' ? /^[\x20-\x7e]+$/ : /^\d{1,25}$/;
    if (typeof value !== 'string' || !allowed.test(value)) throw new Error(`has a wrong ${member}`);
  }
  // Each member was just seen to be one that the client has, and a text.
  return { ...defaultInstagramClient, ...(changes as Partial<InstagramClient>) };
}
