import type { PreviewInput } from '../../contract/render-preview.ts';
import type { Segment } from '../../hls/media-playlist.ts';
import type { SelectedPlaylist } from '../download/select-playlists.ts';
import { childSource, type Source } from '../download/source-request.ts';
import { probeHead } from './probe-head.ts';

/** Number of segments of a playlist whose size is requested as a sample. */
const SAMPLES = 3;

type Size = Pick<PreviewInput, 'size' | 'sizeIsExact'>;

/**
 * Estimates the size of the media of playlists. It is exact if all segments are byte ranges of files. Otherwise it is
 * extrapolated from some segments by duration, or derived from the bit rate in the master playlist.
 *
 * @throws MillraceError as fetching the segments would.
 */
export async function estimatePlaylistSize(source: Source, playlists: readonly SelectedPlaylist[]): Promise<Size> {
  const lengths = playlists.flatMap(({ media }) => media.segments.map(({ byteRange }) => byteRange?.length));
  if (lengths.every((length) => length !== undefined)) return { size: sum(lengths), sizeIsExact: true };
  const sizes = await Promise.all(playlists.map((playlist) => estimateBySamples(source, playlist)));
  const size = sizes.every((each) => each !== undefined) ? Math.round(sum(sizes)) : estimateByBitrate(playlists);
  return { size, sizeIsExact: false };
}

async function estimateBySamples(source: Source, playlist: SelectedPlaylist): Promise<number | undefined> {
  const { segments, totalDuration } = playlist.media;
  const sizeOf = async (url: string) =>
    (await probeHead(childSource(source, url, `A segment of ${source.name.toLowerCase()}`))).total;
  const samples = pickSamples(segments);
  const totals = await Promise.all(samples.map(async ({ url, byteRange }) => byteRange?.length ?? (await sizeOf(url))));
  const seconds = sum(samples.map(({ duration }) => duration));
  if (seconds === 0 || totals.some((total) => total === undefined)) return undefined;
  return (sum(totals.map((total) => total ?? 0)) / seconds) * totalDuration;
}

/** Returns some segments, evenly spread. */
function pickSamples(segments: readonly Segment[]): readonly Segment[] {
  const indexes = Array.from({ length: SAMPLES }, (_, at) => Math.floor(((at + 0.5) * segments.length) / SAMPLES));
  return [...new Set(indexes)].flatMap((index) => segments[index] ?? []);
}

function estimateByBitrate([first]: readonly SelectedPlaylist[]): number | null {
  const bitRate = first?.variant?.averageBandwidth ?? first?.variant?.bandwidth;
  if (first === undefined || bitRate === undefined) return null;
  return Math.round((bitRate / 8) * first.media.totalDuration);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
