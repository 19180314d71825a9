import type { ComparedStream } from './compared-stream.ts';

/**
 * Codecs of which MP4 and QuickTime list other packets than were written: uncompressed audio and ADPCM, of which they
 * list each sample or block; AMR, with several frames in a packet; E-AC-3, of which a packet may hold a part of a frame;
 * and VP9, of which frames that are not shown are joined to the next.
 */
const listedOtherwise = /^(pcm_|adpcm_|amr_|eac3$|vp9$)/;

/**
 * Whether a copied stream has other packets than its source, as a clause. The muxer's account says how many were
 * written; where the file lists its packets, it has to list as many.
 */
export function comparePacketCounts(name: string, stream: ComparedStream): string | undefined {
  const { codec, origin, muxerStats, fileStats } = stream;
  const source = origin.sources[0]?.stats;
  if (origin.action !== 'copy' || source?.packets === undefined) return undefined;
  const [least, most] = [source.packets, source.packets + (source.hidden ?? 0)];
  const muxed = muxerStats?.packets;
  const listed = fileStats?.listed && !listedOtherwise.test(codec) ? fileStats.packets : undefined;
  const wrong = [muxed, listed].find((count) => count !== undefined && (count < least || count > most));
  const has = `its ${name} has`;
  if (wrong !== undefined) return `${has} ${wrong} packets instead of ${most === least ? most : `${least} to ${most}`}`;
  if (muxed === undefined || listed === undefined || listed === muxed) return undefined;
  return `${has} ${listed} packets instead of ${muxed}`;
}
