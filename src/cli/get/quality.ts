import type { EndpointEntry } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { RecognisedLink } from '#client/recognise-link.ts';

/** Named qualities; any other is a label such as `720p`. */
export const namedQualities = ['best', 'worst', 'audio', 'image'] as const;

/** The API's formats for named qualities. */
const formatsByQuality: Readonly<Record<string, readonly string[]>> = {
  best: ['highres'],
  worst: ['lowres'],
  audio: [],
  image: [],
  slideshow: ['slideshow'],
};

/**
 * Returns the formats to request from an endpoint for a quality. A height matches formats with and without 60 frames a
 * second; the better match comes first.
 */
export function formatsFor({ platform, endpoint }: RecognisedLink, quality: string): readonly string[] {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  const acceptedFormats = table[endpoint]?.optional.renderableFormats;
  if (acceptedFormats === undefined || typeof acceptedFormats === 'string' || !('listOf' in acceptedFormats)) return [];
  const formats = formatsByQuality[quality] ?? formatLabels(platform, quality);
  return 'extensible' in acceptedFormats
    ? formats
    : formats.filter((format) => acceptedFormats.listOf.includes(format));
}

function formatLabels(platform: string, quality: string): readonly string[] {
  const [, height, rate = ''] = /^(?:hls-)?(\d{3,4})p?(60)?$/.exec(quality) ?? [];
  if (height === undefined) return canExist(platform, quality) ? [quality] : [];
  if (platform === 'p5') return [height];
  if (platform !== 'p1') return [`${height}p`];
  return rate === '60' ? [`${height}p60`, `${height}p`] : [`${height}p`, `${height}p60`];
}

/** Whether a label without a known height can exist. The service refuses others with the name of its own parameter. */
function canExist(platform: string, label: string): boolean {
  return platform === 'p1' ? /^\d{3,4}p/.test(label) : platform !== 'p5';
}

/** Whether a label matches a quality: `720p60` and `hls-720` match `720p`. */
export function isQuality(label: string, quality: string): boolean {
  const [actual, expected] = [plainLabel(label), plainLabel(quality.replace(/^\d{3,4}$/, '$&p'))];
  return actual === expected || actual === `${expected}60`;
}

/** Returns a label without the way of its delivery: `720p` for `hls-720` and `http-720`. */
export function plainLabel(label: string): string {
  return label.toLowerCase().replace(/^(?:hls|http)-(\d+)$/, '$1p');
}
