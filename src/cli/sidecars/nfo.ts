import type { KnownMetadata } from '../../contract/metadata.ts';
import { tagsOf } from '../../renderables/file-additions.ts';

/** Maximum characters of a value. */
const MAX_TEXT = 5000;

/** Identifies the content of an NFO file. */
export interface NfoContent {
  /** Name of the platform. */
  readonly platform: string;
  /** The platform's ID of the content. */
  readonly id: string;
  readonly title: string;
  readonly metadata: KnownMetadata;
}

/**
 * Returns the description of a video for media servers such as Kodi and Jellyfin, as XML
 * (https://kodi.wiki/view/NFO_files/Movies).
 */
export function nfoText({ platform, id, title, metadata }: NfoContent): string {
  const { artist, date, description, genre } = tagsOf(metadata);
  const seconds = metadata.additionalData?.duration;
  const minutes = typeof seconds === 'number' && seconds > 0 ? String(Math.ceil(seconds / 60)) : undefined;
  const elements = [
    element('title', title),
    element('plot', description),
    element('studio', artist),
    element('credits', artist),
    element('premiered', date),
    element('year', date?.slice(0, 4)),
    element('runtime', minutes),
    element('genre', genre),
    element('thumb', metadata.thumbnailUrl),
    `  <uniqueid type="${escapeXml(platform.toLowerCase())}" default="true">${escapeXml(id)}</uniqueid>\n`,
  ];
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<movie>\n${elements.join('')}</movie>\n`;
}

function element(name: string, value: string | undefined): string {
  const text = escapeXml((value ?? '').trim());
  return text === '' ? '' : `  <${name}>${text}</${name}>\n`;
}

/** Escapes a text for XML 1.0, without the characters that it forbids. */
function escapeXml(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
