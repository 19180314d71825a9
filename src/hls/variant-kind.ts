import { codecFamilies } from './codec-families.ts';
import type { MasterPlaylist, Variant } from './master-playlist.ts';

/** Returns the contents of a variant of a master playlist: audio only, video with separate audio, or both. */
export function variantKind(
  { audioGroup, codecs }: Variant,
  { renditions }: MasterPlaylist,
): 'muxed' | 'video' | 'audio' {
  const families = codecs.map((codec) => codecFamilies([codec]));
  if (families.length > 0 && families.every(({ audio }) => audio !== undefined)) return 'audio';
  const audioRenditions = renditions.filter(({ type, groupId }) => type === 'AUDIO' && groupId === audioGroup);
  if (audioRenditions.length > 0) return audioRenditions.every(({ url }) => url !== undefined) ? 'video' : 'muxed';
  return families.length > 0 && families.every(({ video }) => video !== undefined) ? 'video' : 'muxed';
}
