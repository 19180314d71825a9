import { open } from 'node:fs/promises';
import { hostOfUrl } from '../../egress/guard.ts';
import { headersForOtherHost } from '../../egress/headers.ts';
import type { Segment } from '../../hls/media.ts';
import { fetchPart } from './fetch-part.ts';
import { createFileWriter } from './file-writer.ts';
import { findPlaylist } from './playlist.ts';
import type { SizeAccount } from './size-account.ts';
import { type PartHead, type Source, SourceChanged } from './source.ts';
import { createTaskGroup } from './task-group.ts';

/** What fetching a playlist's media needs. */
export interface HlsDownload {
  readonly source: Source;
  readonly concurrency: number;
  readonly path: string;
  readonly account: SizeAccount;
  /** Hears the part that has arrived, 0 to 1, by playing time. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Fetches the segments of an HLS playlist, several at a time, straight to their places in one file: a segment's place
 * is known as soon as the sizes of those before it are; until then its connection is held back.
 *
 * @throws MillraceError of `playlist.ts` and `fetch-part.ts`, or `input_too_large`.
 */
export async function downloadHls(download: HlsDownload): Promise<{ bytes: number; duration: number }> {
  const { source, account, concurrency, onProgress } = download;
  const { media, url } = await findPlaylist(source);
  const group = createTaskGroup(source.signal);
  const file = await open(download.path, 'w');
  let end: Promise<number> = Promise.resolve(0);
  let taken = 0;
  let bytes = 0;
  let played = 0;

  /** Takes the next segment's place in the file, behind the one before it. */
  const place = () => {
    const base = end;
    const size = Promise.withResolvers<number>();
    end = Promise.all([base, size.promise]).then(([at, bytes]) => at + bytes);
    // When a segment fails, so do the places behind it; the group reports the segment's own error.
    end.catch(() => undefined);
    return { base, size };
  };

  const fetchSegment = async (segment: Segment, number: number) => {
    const { base, size } = place();
    let known: PartHead | undefined;
    let arrived = 0;
    const share = (position: number) => (known?.total ? Math.min(position / known.total, 1) : 0) * segment.duration;
    const count = (position: number) => {
      bytes += position - arrived;
      played += share(position) - share(arrived);
      arrived = position;
      account.reach(bytes);
      onProgress(played / media.totalDuration);
    };
    try {
      await fetchPart(
        segmentSource(source, segment, number, url, group.signal),
        { from: 0 },
        createFileWriter(file, base),
        {
          head(head) {
            if (known !== undefined && known.total !== head.total) {
              throw new SourceChanged(`segment ${number} of ${source.name} has a new size`);
            }
            known = head;
            if (head.total !== undefined) size.resolve(head.total);
          },
          arrived: count,
        },
      );
      size.resolve(arrived);
    } catch (error) {
      size.reject(error);
      throw error;
    }
  };

  const work = async () => {
    for (let segment = media.segments[taken]; segment !== undefined; segment = media.segments[taken]) {
      taken += 1;
      await fetchSegment(segment, taken);
    }
  };

  try {
    for (let worker = 0; worker < concurrency; worker += 1) group.run(work);
    await group.done();
    return { bytes: await end, duration: media.totalDuration };
  } finally {
    await file.close();
  }
}

/** A segment is asked for as its playlist was; on another host, without what is meant for the playlist's alone. */
function segmentSource(
  source: Source,
  segment: Segment,
  number: number,
  playlist: string,
  signal: AbortSignal,
): Source {
  const { headers } = source.request;
  const sameHost = hostOfUrl(segment.url) === hostOfUrl(playlist);
  return {
    ...source,
    url: segment.url,
    request: { method: 'GET', headers: sameHost ? headers : headersForOtherHost(headers) },
    rangeType: 'header',
    name: `Segment ${number} of ${source.name.toLowerCase()}`,
    signal,
  };
}
