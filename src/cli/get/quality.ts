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
  if (height === undefined) return [quality];
  if (platform === 'p5') return [height];
  if (platform !== 'p1') return [`${height}p`];
  return rate === '60' ? [`${height}p60`, `${height}p`] : [`${height}p`, `${height}p60`];
}

/** Whether a label matches a quality: `720p60` and `hls-720` match `720p`. */
export function isQuality(label: string, quality: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/^hls-(\d+)$/, '$1p');
  const [actual, expected] = [plain(label), plain(quality.replace(/^\d{3,4}$/, '$&p'))];
  return actual === expected || actual === `${expected}60`;
}
