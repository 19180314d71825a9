import type { EndpointEntry } from '#client/endpoint-entry.ts';
import { endpoints } from '#client/endpoints.ts';
import type { RecognisedLink } from '#client/links.ts';

/** Qualities that have a name of their own; any other is a label such as `720p`. */
export const namedQualities = ['best', 'worst', 'audio', 'image'] as const;

/** What is asked for in words, as the API calls it. */
const asFormats: Readonly<Record<string, readonly string[]>> = {
  best: ['highres'],
  worst: ['lowres'],
  audio: [],
  image: [],
};

/**
 * What an endpoint is asked for, for a quality. Where a height is wanted, sixty pictures a second will do, or the
 * ordinary number of them; the better match stands first.
 */
export function formatsFor({ platform, endpoint }: RecognisedLink, quality: string): readonly string[] {
  const table: Readonly<Record<string, EndpointEntry>> = endpoints[platform];
  const takes = table[endpoint]?.takes.renderableFormats;
  if (takes === undefined || typeof takes === 'string' || !('several' in takes)) return [];
  const wanted = asFormats[quality] ?? labelsFor(platform, quality);
  return 'andOthers' in takes ? wanted : wanted.filter((format) => takes.several.includes(format));
}

function labelsFor(platform: string, quality: string): readonly string[] {
  const [, height, rate = ''] = /^(?:hls-)?(\d{3,4})p?(60)?$/.exec(quality) ?? [];
  if (height === undefined) return [quality];
  if (platform === 'p5') return [height];
  if (platform !== 'p1') return [`${height}p`];
  return rate === '60' ? [`${height}p60`, `${height}p`] : [`${height}p`, `${height}p60`];
}

/** Whether a label is the quality that is wanted: `720p60` and `hls-720` are `720p`. */
export function isQuality(label: string, quality: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/^hls-(\d+)$/, '$1p');
  const [found, wanted] = [plain(label), plain(quality.replace(/^\d{3,4}$/, '$&p'))];
  return found === wanted || found === `${wanted}60`;
}
