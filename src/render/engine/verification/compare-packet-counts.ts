import type { ComparedStream } from './compared-stream.ts';

/**
 * Codecs of which MP4 and QuickTime list other packets than were written: uncompressed audio and ADPCM, of which they
 * list each sample or block; AMR, with several frames in a packet; E-AC-3, of which a packet may hold a part of a frame;
 * and VP9, of which frames that are not shown are joined to the next.
 */
const repacketizedCodecs = /^(pcm_|adpcm_|amr_|eac3$|vp9$)/;

/**
 * Whether a copied stream has other packets than its source, as a clause. The muxer's account says how many were
 * written; where the file lists its packets, it has to list as many.
 */
export function comparePacketCounts(name: string, stream: ComparedStream): string | undefined {
  const { codec, origin, muxerStats, fileStats } = stream;
  const source = origin.sources[0]?.stats;
  if (origin.action !== 'copy' || source?.packets === undefined) return undefined;
  const [least, most] = [source.packets, source.packets + (source.hidden ?? 0)];
  const muxerCount = muxerStats?.packets;
  const fileCount = fileStats?.listed && !repacketizedCodecs.test(codec) ? fileStats.packets : undefined;
  const wrongCount = [muxerCount, fileCount].find((count) => count !== undefined && (count < least || count > most));
  const subject = `its ${name} has`;
  if (wrongCount !== undefined)
    return `${subject} ${wrongCount} packets instead of ${most === least ? most : `${least} to ${most}`}`;
  if (muxerCount === undefined || fileCount === undefined || fileCount === muxerCount) return undefined;
  return `${subject} ${fileCount} packets instead of ${muxerCount}`;
}
