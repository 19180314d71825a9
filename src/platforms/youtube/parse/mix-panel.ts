import { count, defined, dig, type Fields, list, text } from '../../../parsing/values.ts';
import { videoIdOf } from './ids.ts';
import { readText } from './text.ts';

/** The end of one page of a mix, where the next one begins. */
export interface MixPosition {
  readonly videoId: string;
  /** Counted from 0. */
  readonly playlistIndex?: number;
  readonly params?: string;
}

/** A page of a mix, which the site sends with the current video. */
interface MixPage {
  readonly title?: string;
  /** The entries, as input for `readList`. */
  readonly entries: readonly unknown[];
  /** Absent if there are no new entries. */
  readonly end?: MixPosition;
}

/**
 * Reads the panel of a response to `next`. Returns undefined if the response has no panel.
 *
 * @param after The last video of the previous page. The panel repeats the entries up to it.
 */
export function readMixPanel({ contents }: Fields, after?: string): MixPage | undefined {
  const panel = dig(contents, 'twoColumnWatchNextResults', 'playlist', 'playlist');
  if (!Array.isArray(dig(panel, 'contents'))) return undefined;
  const all = list(dig(panel, 'contents'));
  const place = after === undefined ? -1 : all.findLastIndex((entry) => videoOf(entry) === after);
  const entries = all.slice(place + 1);
  return {
    entries,
    ...defined({
      title: readText(dig(panel, 'title')) ?? readText(dig(panel, 'titleText')),
      end: readEnd(entries.at(-1)),
    }),
  };
}

function videoOf(entry: unknown): unknown {
  return dig(entry, 'playlistPanelVideoRenderer', 'videoId');
}

function readEnd(last: unknown): MixPosition | undefined {
  const watch = dig(last, 'playlistPanelVideoRenderer', 'navigationEndpoint', 'watchEndpoint');
  return readMixPosition({
    videoId: videoOf(last),
    playlistIndex: dig(watch, 'index'),
    params: dig(watch, 'params'),
  });
}

/** Reads a position in a mix, from the members of a response or of a cursor. Returns undefined without a video. */
export function readMixPosition({ videoId, playlistIndex, params }: Fields): MixPosition | undefined {
  const id = videoIdOf(videoId);
  if (id === undefined) return undefined;
  return { videoId: id, ...defined({ playlistIndex: count(playlistIndex), params: text(params) }) };
}

/**
 * Returns the video that a mix was made around, if the mix's ID ends with the video's: `RD<video>`, `RDMM<video>` (my
 * mix), `RDAMVM<video>` (music), `RDGMEM…VM<video>` (a genre).
 */
export function seedOfMix(id: string): string | undefined {
  return /^RD(?:MM|AMVM|GMEM[\w-]*VM)?([\w-]{11})$/.exec(id)?.[1];
}
