import { parseTitle, type Title } from '../../../media/titles.ts';
import { titleOfItem } from '../../headlines.ts';
import { count, pick } from '../../seeded.ts';
import type { SiteFault } from '../../site-faults.ts';
import { siteFaults } from '../faults.ts';
import { type Person, personCalled } from './people.ts';

/** Page on which a video is available. */
export type Door = 'reel' | 'watch' | 'web' | 'embed';

/** Special behaviour of a video. */
interface VideoScenario {
  readonly about: string;
  /** Form in which its file links are given; default: the form of July 2026. */
  readonly delivery?: 'progressive' | 'unnamed' | 'playable' | 'sources' | 'prefetch' | 'text';
  /** The only pages that are open to guests. */
  readonly doors?: readonly Door[];
  /** `others`: the page contains other videos. */
  readonly refusal?: 'gone' | 'walled' | 'others' | 'age' | 'checkpoint';
  /** `head`: the head of its reel page describes another reel. Others: these pages have an unknown structure. */
  readonly differs?: 'head' | 'reel page' | 'all pages';
  /** Its pages arrive without their data. */
  readonly empty?: true;
  /** A warning precedes the video; with `closed`, the page contains no file links. */
  readonly warning?: 'open' | 'closed';
  readonly live?: true;
  readonly silent?: true;
  readonly onlySd?: true;
  /** Its links have expired. */
  readonly expired?: true;
  /** Each of its pages first redirects to the other host. */
  readonly redirectsToWeb?: true;
  /** Faults of the CDN in its links. */
  readonly faults?: string;
  /** Fault of all its pages. */
  readonly fault?: SiteFault;
}

/** Video or reel. */
export interface Video extends VideoScenario {
  readonly id: string;
  readonly postId: string;
  readonly owner: Person;
  readonly text: string;
  readonly seconds: number;
  /** Creation time in seconds since 1970. */
  readonly created: number;
  readonly plays: number;
  /** Generated media of the video. */
  readonly title: Title;
}

/** The documented videos. */
export const videos: Readonly<Record<string, VideoScenario>> = {
  '770000000000001': { about: '30 s: native_hd, native_sd, 144p to 1080p, 720p twice; music, captions, a mention' },
  '770000000000002': { about: 'the reel page is a sign-in wall, the watch page is open', doors: ['watch'] },
  '770000000000003': { about: 'open only at the web host', doors: ['web'] },
  '770000000000004': { about: 'available only in the embedded player', doors: ['embed'] },
  '770000000000005': { about: 'older delivery: playable_url, playable_url_dash', delivery: 'playable' },
  '770000000000006': { about: 'oldest delivery: hd_src, sd_src', delivery: 'sources' },
  '770000000000007': { about: 'newer delivery: progressive_urls, dash_manifests', delivery: 'progressive' },
  '770000000000008': { about: 'newer delivery without quality names, for media without a number', delivery: 'unnamed' },
  '770000000000009': { about: 'a broken manifest beside the list for the player', delivery: 'prefetch' },
  '770000000000010': { about: "the page's results are broken; its text contains the links", delivery: 'text' },
  '770000000000011': { about: 'live', live: true },
  '770000000000012': { about: 'behind an age gate, but with its file links', refusal: 'age' },
  '770000000000013': { about: 'behind a warning, without file links', warning: 'closed' },
  '770000000000014': { about: 'gone', refusal: 'gone' },
  '770000000000015': { about: 'sign-in wall everywhere', refusal: 'walled' },
  '770000000000016': { about: 'its pages contain only other videos', refusal: 'others' },
  '770000000000017': { about: 'without audio', silent: true },
  '770000000000018': { about: 'only native_sd, no manifest', onlySd: true },
  '770000000000019': { about: 'expired links: 403', expired: true },
  '770000000000020': { about: 'www redirects every visitor to web', redirectsToWeb: true },
  '770000000000021': { about: 'redirects to a checkpoint', refusal: 'checkpoint' },
  '770000000000022': { about: 'media returns 403', faults: 'status=403' },
  '770000000000023': { about: 'returns 429', fault: siteFaults.labhttp429 },
  '770000000000024': { about: 'never responds', fault: siteFaults.labisslow },
  '770000000000025': { about: 'behind a warning, with its file links', warning: 'open' },
  '770000000000026': { about: 'its pages have an unknown structure', differs: 'all pages' },
  '770000000000027': { about: 'the head of its reel page describes another reel', differs: 'head' },
  '770000000000028': { about: 'its pages arrive without their data, but with the sign-in form', empty: true },
  '770000000000029': { about: 'its reel page has an unknown structure, its watch page is known', differs: 'reel page' },
};

/**
 * Every video has the same look, so that the files are generated only once. Videos of other lengths have fewer files.
 */
const SECONDS = 30;

/**
 * Returns the video with the given number. Any number is valid; videos with numbers that begin with 404 are deleted.
 */
export function videoNumbered(id: string): Video {
  const scenario: VideoScenario =
    videos[id] ?? (id.startsWith('404') ? { about: 'gone', refusal: 'gone' } : { about: 'ordinary' });
  const name = `amber-${SECONDS}`;
  const title = parseTitle(name);
  if (title === undefined) throw new Error(`The lab has no title ${name}.`);
  return {
    ...scenario,
    id,
    postId: `5${id.slice(1)}`,
    owner: personCalled('thelab'),
    text: `${titleOfItem(id)} with Lab Person #lab https://lab.example/${id}`,
    seconds: SECONDS,
    created: 1_780_000_000 + pick(10_000_000, 'created', id),
    plays: count(7, 'plays', id),
    title,
  };
}

/** Returns a reel of a profile by its index; the newest is 0. */
export function reelAt(owner: Person, place: number): Video {
  const video = videoNumbered(`7${owner.id.slice(-8)}${`${place}`.padStart(6, '0')}`);
  return { ...video, owner, created: 1_790_000_000 - place * 86_400 };
}
