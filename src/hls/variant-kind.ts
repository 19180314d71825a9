import { codecFamilies } from './codecs.ts';
import type { MasterPlaylist, Variant } from './master.ts';

/** What a rung of a master playlist holds: sound alone, pictures whose sound is apart, or both. */
export function variantKind(
  { audioGroup, codecs }: Variant,
  { renditions }: MasterPlaylist,
): 'muxed' | 'video' | 'audio' {
  const families = codecs.map((codec) => codecFamilies([codec]));
  if (families.length > 0 && families.every(({ audio }) => audio !== undefined)) return 'audio';
  const sounds = renditions.filter(({ type, groupId }) => type === 'AUDIO' && groupId === audioGroup);
  if (sounds.length > 0) return sounds.every(({ url }) => url !== undefined) ? 'video' : 'muxed';
  return families.length > 0 && families.every(({ video }) => video !== undefined) ? 'video' : 'muxed';
}
