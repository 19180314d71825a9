import { MillraceError } from '../../../contract/errors.ts';
import { createDashMedia, type DashMedia } from '../../../dash/dash-media.ts';
import type { DashManifest } from '../../../dash/manifest.ts';
import { codecFamilies } from '../../../hls/codec-families.ts';
import { count, defined, dig, fields, list, text } from '../../../parsing/values.ts';
import { expiryOf } from '../../meta-cdn.ts';
import { parseSiteManifest } from '../../reading.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { deliveryCopies, deliveryResult } from './delivery.ts';
import type { Copies, Records } from './records.ts';

/**
 * Returns the video-only and audio-only files: those of the first manifest that can be read, or else of the page's
 * list.
 */
export function variantsOf(copies: Copies, records: Records, duration: number | undefined): DashMedia {
  for (const xml of manifestTexts(copies)) {
    const manifest = readManifest(xml);
    if (manifest !== undefined && !manifest.live && manifest.representations.length > 0) {
      return createDashMedia({ ...(duration === undefined ? {} : { duration }), ...manifest }, expiryOf);
    }
  }
  return createDashMedia(
    { ...prefetchedManifest(copies, records), ...(duration === undefined ? {} : { duration }) },
    expiryOf,
  );
}

function manifestTexts(copies: Copies): string[] {
  const newer = copies.flatMap((copy) => list(dig(deliveryResult(copy), 'dash_manifests')));
  const texts = [
    ...deliveryCopies(copies).flatMap((copy) => [
      copy.dash_manifest_xml_string,
      copy.playable_url_dash,
      copy.dash_manifest,
    ]),
    ...newer.map((entry) => dig(entry, 'manifest_xml')),
  ];
  return texts.filter((xml): xml is string => typeof xml === 'string' && xml.includes('<MPD')).slice(0, 5);
}

function readManifest(xml: string): DashManifest | undefined {
  try {
    return parseSiteManifest(xml);
  } catch (error) {
    // Not an error: the whole files, or the page's list, are used instead.
    if (error instanceof MillraceError) return undefined;
    throw error;
  }
}

/** Returns the complete list of variants that a page passes to its player outside of the query results, by video ID. */
function prefetchedManifest(copies: Copies, { roots }: Records): DashManifest {
  const ids = new Set(copies.map(({ id }) => id));
  const lists = roots.flatMap(({ extensions }) => list(extensions.all_video_dash_prefetch_representations));
  const own = lists.filter((entry) => ids.has(text(dig(entry, 'video_id'))));
  const representations = list(dig(own[0], 'representations')).slice(0, 100).flatMap(representation);
  return { live: false, representations, encryptedCount: 0, unusableCount: 0 };
}

function representation(value: unknown): DashManifest['representations'][number][] {
  const entry = fields(value);
  const url = httpSiteUrl(entry.base_url);
  const mimeType = text(entry.mime_type);
  const kind = mimeType?.split('/', 1)[0];
  if (url === undefined || mimeType === undefined || (kind !== 'video' && kind !== 'audio')) return [];
  const codecs = (text(entry.codecs) ?? '').split(',').flatMap((codec) => codec.trim() || []);
  const { video, audio } = codecFamilies(codecs);
  const pixels = kind === 'video' ? { width: count(entry.width), height: count(entry.height) } : {};
  return [
    {
      kind,
      url,
      mimeType,
      codecs,
      attributes: new Map(),
      ...defined({
        id: text(entry.representation_id),
        videoCodec: kind === 'video' ? video : undefined,
        audioCodec: kind === 'audio' ? audio : undefined,
        bandwidth: count(entry.bandwidth),
        ...pixels,
      }),
    },
  ];
}
