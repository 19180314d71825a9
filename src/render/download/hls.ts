import { hostOfUrl } from '../../egress/guard.ts';
import { headersForOtherHost } from '../../egress/headers.ts';
import type { Segment } from '../../hls/media.ts';
import { type FoundPlaylist, findPlaylists } from './playlist.ts';
import { createKeyStore } from './segment-keys.ts';
import { downloadSegments } from './segments.ts';
import type { SizeAccount } from './size-account.ts';
import type { Source } from './source.ts';

/** What fetching a playlist's media needs. */
export interface HlsDownload {
  readonly source: Source;
  readonly concurrency: number;
  /** Where its files go, without an ending. */
  readonly stem: string;
  readonly account: SizeAccount;
  /** Hears the part that has arrived, 0 to 1, by playing time. */
  readonly onProgress: (fraction: number) => void;
}

/** What a playlist became. */
export interface HlsFile {
  /** One file; or, where the playlist goes on in another make, several that play one after the other. */
  readonly parts: readonly string[];
  readonly bytes: number;
  /** Seconds that the playlist promised. */
  readonly duration: number;
}

/**
 * Fetches the media of an HLS playlist; sound that is in a playlist of its own is a second item.
 *
 * @throws MillraceError of `playlist.ts`, `segment-keys.ts` and `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadHls(download: HlsDownload): Promise<HlsFile[]> {
  const { source, concurrency, stem, account, onProgress } = download;
  const playlists = await findPlaylists(source);
  const runs = playlists.flatMap((playlist, index) => runsOf(playlist).map((run) => ({ ...run, index })));
  const seconds = runs.reduce((sum, { duration }) => sum + duration, 0);
  const sizes = runs.map(() => 0);
  let played = 0;
  // One after the other: each keeps its connections busy.
  for (const [number, run] of runs.entries()) {
    sizes[number] = await downloadSegments({
      source: segmentSource(source, run.playlist),
      segments: run.segments,
      firstSequence: run.playlist.media.mediaSequence,
      keys: createKeyStore(source),
      concurrency,
      path: pathOf(stem, number, run.segments),
      onBytes(arrived) {
        sizes[number] = arrived;
        account.reach(sizes.reduce((sum, size) => sum + size, 0));
      },
      onProgress: (fraction) => onProgress((played + fraction * run.duration) / seconds),
    });
    played += run.duration;
  }
  return playlists.map(({ media }, index) => {
    const own = runs.flatMap((run, number) => (run.index === index ? [{ ...run, number }] : []));
    return {
      parts: own.map(({ number, segments }) => pathOf(stem, number, segments)),
      bytes: own.reduce((sum, { number }) => sum + (sizes[number] ?? 0), 0),
      duration: media.totalDuration,
    };
  });
}

/** Segments that go into one file. */
interface Run {
  readonly playlist: FoundPlaylist;
  readonly segments: readonly Segment[];
  /** Seconds. */
  readonly duration: number;
}

/** Cuts a playlist where another initialisation section begins: what follows is a file of another make. */
function runsOf(playlist: FoundPlaylist): Run[] {
  const runs: Segment[][] = [];
  for (const segment of playlist.media.segments) {
    const run = runs.at(-1);
    if (run === undefined || run[0]?.map?.url !== segment.map?.url) runs.push([segment]);
    else run.push(segment);
  }
  return runs.map((segments) => ({
    playlist,
    segments,
    duration: segments.reduce((sum, { duration }) => sum + duration, 0),
  }));
}

function pathOf(stem: string, number: number, [first]: readonly Segment[]): string {
  return `${stem}${number === 0 ? '' : `-${number + 1}`}.${first?.map === undefined ? 'ts' : 'mp4'}`;
}

/** Segments are asked for as their playlist was; on another host, without what is meant for the playlist's alone. */
function segmentSource(source: Source, { url }: FoundPlaylist): (address: string, name: string) => Source {
  const { headers } = source.request;
  const host = hostOfUrl(url);
  return (address, name) => ({
    ...source,
    url: address,
    request: { method: 'GET', headers: hostOfUrl(address) === host ? headers : headersForOtherHost(headers) },
    rangeType: 'header',
    name: `${name} of ${source.name.toLowerCase()}`,
  });
}
