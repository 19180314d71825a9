import { setting } from '../../settings/setting.ts';
import { jsonChanges, textLike } from '../json-changes.ts';

/** Everything about the requests that changes with Instagram. */
export interface Site {
  readonly userAgent: string;
  /** `X-IG-App-ID` of the site's web client. */
  readonly appId: string;
  /** `X-ASBD-ID`. */
  readonly asbdId: string;
  /** Number of the query that gives one post to signed-out visitors. A number in the page takes precedence. */
  readonly postDocId: string;
  /** Number of the query that gives a reel and those after it. */
  readonly clipsDocId: string;
  /** Number of the older query of a post by its shortcode. A number in the page takes precedence. */
  readonly shortcodeDocId: string;
}

/** Values last seen to work: user agent and ids in 2026-10, `clipsDocId` in 2026-08, `shortcodeDocId` in 2026-07. */
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

/** The setting that changes members of the site. */
export const siteSetting = setting({
  description: 'JSON that changes how p2 is asked: {"userAgent":"…","postDocId":"271…"}.',
  default: 'the built-in values',
  fallback: () => defaultSite,
  read: (text): Site => ({ ...defaultSite, ...readChanges(text) }),
});
