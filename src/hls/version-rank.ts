import type { Rendition } from './master-playlist.ts';

/**
 * Returns the position of an audio rendition among those in its language: 1 for an audio description (RFC 8216
 * §4.3.4.1), undefined for others.
 */
export function versionRankOf({ attributes }: Rendition): number | undefined {
  const characteristics = attributes.get('CHARACTERISTICS') ?? '';
  return characteristics.includes('public.accessibility.describes-video') ? 1 : undefined;
}
