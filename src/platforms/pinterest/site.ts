import { isFields } from '../../parsing/values.ts';

/** Everything about the requests that changes with Pinterest. */
export interface PinterestSite {
  /** Value of `X-Pinterest-PWS-Handler`, without which the JSON interface refuses; any handler of the site serves. */
  readonly pwsHandler: string;
  /** The set of fields asked for first. */
  readonly fieldSet: string;
  /** The set asked for where the first tells nothing of a story or carousel. */
  readonly detailedFieldSet: string;
  readonly userAgent: string;
}

/**
 * As open source programs of the field and recordings show them. The handler has been needed since 2025-03 and was last
 * seen to work in 2026-08, both sets of fields too; the browser is that of the other platforms.
 */
export const defaultPinterestSite: PinterestSite = {
  pwsHandler: 'www/[username].js',
  fieldSet: 'unauth_react_main_pin',
  detailedFieldSet: 'detailed',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
};

/**
 * Milliseconds that each request may take. With all of them taken, the JSON interface (at a regional host too) and the
 * page twice, they come to the 25 seconds that an answer has.
 */
export const budgets = { shortLink: 3_500, resource: 3_500, detailed: 3_000, page: 4_500, oembed: 2_500 } as const;

/**
 * The settings with an operator's changes: JSON such as `{"pwsHandler":"www/pin/[id].js"}`.
 *
 * @throws Error that says what cannot be used, for the list of wrong settings.
 */
export function readPinterestSite(json: string): PinterestSite {
  let changes: unknown;
  try {
    changes = JSON.parse(json);
  } catch (error) {
    throw new Error('must be JSON', { cause: error });
  }
  if (!isFields(changes)) throw new Error('must be a JSON object');
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(defaultPinterestSite, name)) throw new Error(`knows no ${name}`);
    if (typeof value !== 'string' || !/^[\x20-\x7e]{1,300}$/.test(value)) throw new Error(`has a wrong ${name}`);
  }
  return { ...defaultPinterestSite, ...changes };
}
