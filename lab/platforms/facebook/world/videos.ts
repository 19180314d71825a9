import { parseTitle, type Title } from '../../../media/titles.ts';
import { count, pick } from '../../seeded.ts';
import type { SiteFault } from '../../site-faults.ts';
import { siteFaults } from '../faults.ts';
import { type Person, personCalled } from './people.ts';

/** A page on which a video can be met. */
export type Door = 'reel' | 'watch' | 'web' | 'embed';

/** What a video shows besides the ordinary. */
interface VideoScenario {
  readonly about: string;
  /** How its files are told; as in July 2026 where absent. */
  readonly delivery?: 'progressive' | 'unnamed' | 'playable' | 'sources' | 'prefetch' | 'text';
  /** The only pages that are open to guests. */
  readonly doors?: readonly Door[];
  /** `others`: the page is about other videos. */
  readonly refusal?: 'gone' | 'walled' | 'others' | 'age' | 'checkpoint';
  /** A warning stands before it; `closed`: and its files are not told. */
  readonly warning?: 'open' | 'closed';
  readonly live?: true;
  readonly silent?: true;
  readonly onlySd?: true;
  /** Its links are over. */
  readonly expired?: true;
  /** Every page of it is first sent to the other host. */
  readonly redirectsToWeb?: true;
  /** Faults of the CDN that its links carry. */
  readonly faults?: string;
  /** Every page of it goes wrong. */
  readonly fault?: SiteFault;
}

/** A video or reel. */
export interface Video extends VideoScenario {
  readonly id: string;
  readonly postId: string;
  readonly owner: Person;
  readonly text: string;
  readonly seconds: number;
  /** Seconds since 1970. */
  readonly created: number;
  readonly plays: number;
  /** The made media behind it. */
  readonly title: Title;
}

/** The documented videos. */
export const videos: Readonly<Record<string, VideoScenario>> = {
  '770000000000001': { about: '30 s: native_hd, native_sd, 144p to 1080p, 720p twice; music, captions, a mention' },
  '770000000000002': { about: 'the reel page is walled, the watch page open', doors: ['watch'] },
  '770000000000003': { about: 'open at the web host alone', doors: ['web'] },
  '770000000000004': { about: 'only the embedded player shows it', doors: ['embed'] },
  '770000000000005': { about: 'older delivery: playable_url, playable_url_dash', delivery: 'playable' },
  '770000000000006': { about: 'oldest delivery: hd_src, sd_src', delivery: 'sources' },
  '770000000000007': { about: 'newer delivery: progressive_urls, dash_manifests', delivery: 'progressive' },
  '770000000000008': { about: 'newer delivery without quality names, of media without a number', delivery: 'unnamed' },
  '770000000000009': { about: 'a manifest that is broken beside the list for the player', delivery: 'prefetch' },
  '770000000000010': { about: "the page's answers are broken; its text has the links", delivery: 'text' },
  '770000000000011': { about: 'live', live: true },
  '770000000000012': { about: 'behind an age gate, its files told all the same', refusal: 'age' },
  '770000000000013': { about: 'behind a warning, without files', warning: 'closed' },
  '770000000000014': { about: 'gone', refusal: 'gone' },
  '770000000000015': { about: 'walled everywhere', refusal: 'walled' },
  '770000000000016': { about: 'its pages show other videos alone', refusal: 'others' },
  '770000000000017': { about: 'without sound', silent: true },
  '770000000000018': { about: 'native_sd alone, no manifest', onlySd: true },
  '770000000000019': { about: 'links that are over: 403', expired: true },
  '770000000000020': { about: 'www sends every visitor on to web', redirectsToWeb: true },
  '770000000000021': { about: 'leads to a checkpoint', refusal: 'checkpoint' },
  '770000000000022': { about: 'media answers 403', faults: 'status=403' },
  '770000000000023': { about: 'answers 429', fault: siteFaults.labhttp429 },
  '770000000000024': { about: 'never answers', fault: siteFaults.labisslow },
  '770000000000025': { about: 'behind a warning, with its files', warning: 'open' },
};

/** Every video has the same look, so that its files are made once; other lengths than this have fewer. */
const SECONDS = 30;

/** The video of a number. Any number is one; those that begin with 404 are gone. */
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
    text: `Lab video ${id} with Lab Person #lab https://lab.example/${id}`,
    seconds: SECONDS,
    created: 1_780_000_000 + pick(10_000_000, 'created', id),
    plays: count(7, 'plays', id),
    title,
  };
}

/** A reel of a profile by its place, the newest being 0. */
export function reelAt(owner: Person, place: number): Video {
  const video = videoNumbered(`7${owner.id.slice(-8)}${`${place}`.padStart(6, '0')}`);
  return { ...video, owner, created: 1_790_000_000 - place * 86_400 };
}
