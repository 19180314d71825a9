import { validUrl } from '../../contract/parse-url.ts';
import type { SourceMedia } from '../../contract/source-media.ts';
import { bindHeaders } from '../../egress/credentials.ts';
import type { Egress } from '../../egress/egress.ts';
import { defaultHeaders } from '../../render/download/source-request.ts';
import { classifyFailure } from '../findings/classify-failure.ts';
import { combine, type Finding } from '../findings/finding.ts';
import type { MediaPart } from '../findings/probe-report.ts';
import { type FileAccess, fetchRange, type Range, type RangeResponse } from './fetch-range.ts';
import { judgeRange } from './judge-range.ts';
import { playlistSegments } from './playlist-segments.ts';
import type { ProbedItem } from './representative-items.ts';

/** Bytes of each requested part. */
const PART_BYTES = 64 * 1024;

/** Where the second part begins. Some CDNs serve the first two mebibytes of any link, but refuse the rest. */
const LATER_BYTES = 2 * 1024 * 1024;

const HLS_TYPE = 'application/vnd.apple.mpegurl';

/** The result of the first two parts, and the check of the third. */
export interface MediaCheck {
  readonly finding: Finding;
  /** Requests one more part, to call after the wait; absent if there were problems before. */
  readonly again?: () => Promise<Finding>;
}

/** A part of a media item, which can be a separate file. */
interface Part {
  readonly url: string;
  readonly range: Range;
}

/**
 * Requests the start of a media item and a part further on, through the exit of the extraction.
 *
 * @throws The signal's reason.
 */
export async function checkMedia({ name, media }: ProbedItem, exit: Egress, signal: AbortSignal): Promise<MediaCheck> {
  const { url } = media.item;
  const headers = bindHeaders(url, { ...defaultHeaders, ...media.stream?.headers });
  const access: FileAccess = { url, headers, exit, signal };
  const request = async ({ url: partUrl, range }: Part, part: MediaPart) => {
    const response = await fetchRange({ ...access, url: partUrl }, range);
    return { response, finding: judgeRange({ item: name, part, range }, response) };
  };
  try {
    const segments = isPlaylist(media) ? await playlistParts(access) : undefined;
    const first = await request(segments?.first ?? { url, range: { from: 0, length: PART_BYTES } }, 'start');
    if (first.finding.problems.length > 0) return { finding: first.finding };
    const laterPart = segments?.later ?? { url, range: laterRange(first.response) };
    const later = await request(laterPart, 'later');
    if (later.finding.problems.length > 0) return { finding: later.finding };
    return { finding: later.finding, again: async () => (await request(laterPart, 'after_wait')).finding };
  } catch (error) {
    signal.throwIfAborted();
    return { finding: playlistFailure(name, error) };
  }
}

/** Returns whether a media item is an HLS playlist. Some platforms describe no stream. */
function isPlaylist({ item, stream }: SourceMedia): boolean {
  return stream?.ext === 'm3u8' || item.metadata.mime_type === HLS_TYPE || /\.m3u8$/.test(validUrl(item.url).pathname);
}

/** Runs the checks that remain after the wait, one after the other. */
export async function checkAgain(checks: readonly MediaCheck[]): Promise<Finding> {
  const findings: Finding[] = [];
  for (const { again } of checks) if (again !== undefined) findings.push(await again());
  return combine(findings);
}

/** Returns the range beyond the limit of some CDNs, or the last one of a smaller file. */
function laterRange({ head }: RangeResponse): Range {
  const last = (head?.total ?? Number.POSITIVE_INFINITY) - PART_BYTES;
  return { from: Math.max(0, Math.min(LATER_BYTES, last)), length: PART_BYTES };
}

/** Returns the starts of the first and of the last segment of a playlist. */
async function playlistParts(playlist: FileAccess): Promise<{ readonly first: Part; readonly later: Part }> {
  const segments = await playlistSegments(playlist);
  const partOf = ({ url, byteRange }: (typeof segments)[number]): Part => {
    const { offset, length } = byteRange ?? { offset: 0, length: PART_BYTES };
    return { url, range: { from: offset, length: Math.min(length, PART_BYTES) } };
  };
  return { first: partOf(segments[0]), later: partOf(segments.at(-1) ?? segments[0]) };
}

function playlistFailure(item: string, error: unknown): Finding {
  const { verdict } = classifyFailure(error);
  const message = `${item}: the start did not arrive. ${error instanceof Error ? error.message : String(error)}`;
  return { verdict, problems: [{ kind: 'media', item, part: 'start', bytes: 0, message }] };
}
