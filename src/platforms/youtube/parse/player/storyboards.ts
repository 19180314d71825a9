import { setParameters } from '../../../../contract/query-parameters.ts';
import { dig, type Fields, text } from '../../../../parsing/values.ts';
import { httpSiteUrl, validSiteUrl } from '../../../site-urls.ts';

/** Sheets of small video frames, all of one size. */
interface Storyboard {
  /** `$M` is the number of the sheet, from 0. */
  readonly urlTemplate: string;
  /** Pixels of one frame. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** Total number of frames; absent for a live stream. */
  readonly count?: number;
  /** Total number of sheets; absent for a live stream. */
  readonly sheets?: number;
  /** Milliseconds between frames; absent if they are spread evenly over the video. */
  readonly intervalMs?: number;
}

const MAX_LEVELS = 10;
const MAX_LENGTH = 10_000;

/**
 * Reads the storyboards of a player's response. The text begins with the address, in which `$L` is the number of the
 * level and `$N` its name. After each `|` comes a level as `width#height#count#columns#rows#interval#name#signature`.
 */
export function readStoryboards({ storyboards }: Fields): readonly Storyboard[] {
  const spec = text(dig(storyboards, 'playerStoryboardSpecRenderer', 'spec'));
  const live = text(dig(storyboards, 'playerLiveStoryboardSpecRenderer', 'spec'));
  if (spec !== undefined && spec.length < MAX_LENGTH) {
    const [address = '', ...levels] = spec.split('|');
    return levels.slice(0, MAX_LEVELS).flatMap((level, number) => readLevel(address, level, number));
  }
  return live !== undefined && live.length < MAX_LENGTH ? readLiveStoryboard(live) : [];
}

function readLevel(address: string, level: string, number: number): Storyboard[] {
  const parts = level.split('#');
  const [width = 0, height = 0, count = 0, columns = 0, rows = 0, intervalMs = 0] = parts
    .slice(0, 6)
    .map(parsePositive);
  const [, , , , , , name = '', signature = ''] = parts;
  const link = httpSiteUrl(address.replaceAll('$L', () => String(number)).replaceAll('$N', () => name));
  if (link === undefined || width * height * count * columns * rows === 0) return [];
  const url = validSiteUrl(link);
  setParameters(url, { sigh: signature });
  return [
    {
      urlTemplate: url.href,
      width,
      height,
      columns,
      rows,
      count,
      sheets: Math.ceil(count / (columns * rows)),
      ...(intervalMs > 0 ? { intervalMs } : {}),
    },
  ];
}

function readLiveStoryboard(spec: string): Storyboard[] {
  const [address, ...numbers] = spec.split('#');
  const [width = 0, height = 0, columns = 0, rows = 0] = numbers.map(parsePositive);
  const url = httpSiteUrl(address);
  return url === undefined || width * height * columns * rows === 0
    ? []
    : [{ urlTemplate: url, width, height, columns, rows }];
}

function parsePositive(text: string): number {
  return /^\d{1,7}$/.test(text) ? Number(text) : 0;
}
