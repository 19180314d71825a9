import { setting } from '../../settings/setting.ts';
import { jsonChanges, textLike } from '../json-changes.ts';

/** Request details that change with Instagram. */
export interface Site {
  readonly userAgent: string;
  /** `X-IG-App-ID` of the site's web client. */
  readonly appId: string;
  /** `X-ASBD-ID`. */
  readonly asbdId: string;
  /** ID of the query that returns one post to signed-out visitors. An ID in the page takes precedence. */
  readonly postDocId: string;
  /** ID of the query that returns a reel and the reels after it. */
  readonly clipsDocId: string;
  /** ID of the older query for a post by its shortcode. An ID in the page takes precedence. */
  readonly shortcodeDocId: string;
}

/** Values last seen to work: user agent and IDs in 2026-10, `clipsDocId` in 2026-08, `shortcodeDocId` in 2026-07. */
export const defaultSite: Site = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  appId: '936619743392459',
  asbdId: '359341',
  postDocId: '27130156389949648',
  clipsDocId: '27695069083459414',
  shortcodeDocId: '8845758582119845',
};

const number = textLike(/^\d{1,25}$/);

const readChanges = jsonChanges<Site>({
  userAgent: textLike(/^[\x20-\x7e]+$/),
  appId: number,
  asbdId: number,
  postDocId: number,
  clipsDocId: number,
  shortcodeDocId: number,
});

/** The setting that overrides parts of {@link Site}. */
export const siteSetting = setting({
  description: 'JSON that changes the requests to p2: {"userAgent":"…","postDocId":"271…"}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read: (text): Site => ({ ...defaultSite, ...readChanges(text) }),
});
