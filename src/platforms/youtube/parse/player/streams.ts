import { dig, type Fields, fields, isFields, list } from '../../../../parsing/values.ts';
import { httpSiteUrl } from '../../../site-urls.ts';
import { createUnreadCounter, type UnreadKinds } from '../../../unread.ts';
import { type Format, formatId, readFormat, unreadFormatKind } from './formats.ts';

/** The streams in a player's response that can be fetched. */
export interface Streams {
  /** The files, each once. */
  readonly formats: readonly Format[];
  /** Address of the HLS master playlist. */
  readonly hlsUrl?: string;
  /** Whether the response lists no whole files, but a playlist: that of a live stream, whose files are single chunks. */
  readonly onlyPlaylist: boolean;
  /** Streams that the response lists in an unknown format. */
  readonly unread: UnreadKinds;
}

/** Maximum number of formats, more than any video has had (137 with 36 languages, recorded 2026-06). */
const MAX_FORMATS = 1_000;

/** The lists of files. */
const listNames = ['formats', 'adaptiveFormats'] as const;

/** Members that list no files: audio and video in other forms, and the properties of DRM. */
const otherNames: readonly string[] = ['metadataFormats', 'licenseInfos', 'initialAuthorizedDrmTrackTypes'];

/** Addresses that are not read: of the site's own protocol, of DASH, and for measurements. */
const otherAddresses: readonly string[] = ['serverAbrStreamingUrl', 'dashManifestUrl', 'probeUrl'];

/**
 * Returns the streams in a player's response. Omits files that cannot be fetched directly: without a link, with a link
 * that only the site's own program can complete (`n`), with DRM, or in fragments without an index (OTF). Also omits
 * those of a live stream, whose links are single chunks.
 */
export function readStreams({ streamingData }: Fields): Streams {
  const unread = createUnreadCounter();
  const members = fields(streamingData);
  const byId = new Map<string, Format>();
  const listed = listNames.flatMap((name) => list(members[name]).slice(0, MAX_FORMATS));
  const isServed = httpSiteUrl(members.serverAbrStreamingUrl) !== undefined;
  for (const raw of listed) {
    const format = readFormat(raw);
    if (format === undefined) unread.add(unreadFormatKind(raw, isServed));
    else if (!byId.has(formatId(format))) byId.set(formatId(format), format);
  }
  const hlsUrl = httpSiteUrl(members.hlsManifestUrl);
  const isEmpty = byId.size === 0 && hlsUrl === undefined;
  for (const kind of unreadMembers(members, isEmpty)) unread.add(kind);
  const kinds = unread.kinds();
  const isMissing = isEmpty && !listNames.some((name) => name in members) && Object.keys(kinds).length === 0;
  return {
    formats: [...byId.values()],
    ...(hlsUrl === undefined ? {} : { hlsUrl }),
    onlyPlaylist: hlsUrl !== undefined && listed.every((raw) => dig(raw, 'targetDurationSec') !== undefined),
    unread: isMissing ? { [missingKind(streamingData)]: 1 } : kinds,
  };
}

/**
 * Returns the names of members that may contain streams in an unknown format.
 *
 * @param isEmpty Whether no stream was read. Addresses with unknown names count only then.
 */
function unreadMembers(members: Fields, isEmpty: boolean): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (name === 'hlsManifestUrl') return httpSiteUrl(value) === undefined ? name : [];
    if (listNames.some((one) => one === name)) return Array.isArray(value) ? [] : name;
    if (otherNames.includes(name) || otherAddresses.includes(name)) return [];
    const isList = isFields(value) || list(value).some(isFields);
    return isList || (isEmpty && httpSiteUrl(value) !== undefined) ? name : [];
  });
}

function missingKind(streamingData: unknown): string {
  return isFields(streamingData) ? 'streamingData-without-formats' : 'player-without-streamingData';
}
