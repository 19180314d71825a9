import { hostOfUrl } from '../../egress/guard.ts';
import { headersForOtherHost } from '../../egress/headers.ts';
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

/** A file that a playlist became. */
export interface HlsFile {
  readonly path: string;
  readonly bytes: number;
  /** Seconds that the playlist promised. */
  readonly duration: number;
}

/**
 * Fetches the media of an HLS playlist: one file, or a second one for sound that is in a playlist of its own.
 *
 * @throws MillraceError of `playlist.ts`, `segment-keys.ts` and `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadHls(download: HlsDownload): Promise<HlsFile[]> {
  const { source, concurrency, stem, account, onProgress } = download;
  const playlists = await findPlaylists(source);
  const sizes = playlists.map(() => 0);
  const fractions = playlists.map(() => 0);
  const files: HlsFile[] = [];
  // One after the other: each keeps its connections busy, and the picture is most of the work.
  for (const [index, playlist] of playlists.entries()) {
    const { media } = playlist;
    const path = `${stem}${index === 0 ? '' : '-audio'}.${media.segments.some(({ map }) => map) ? 'mp4' : 'ts'}`;
    const bytes = await downloadSegments({
      source: segmentSource(source, playlist),
      media,
      keys: createKeyStore(source),
      concurrency,
      path,
      onBytes(arrived) {
        sizes[index] = arrived;
        account.reach(sizes.reduce((sum, size) => sum + size, 0));
      },
      onProgress(fraction) {
        fractions[index] = fraction;
        onProgress(fractions.reduce((sum, part) => sum + part, 0) / fractions.length);
      },
    });
    files.push({ path, bytes, duration: media.totalDuration });
  }
  return files;
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
