import type { ComparedStream } from './compared-stream.ts';

/**
 * Codecs for which MP4 and QuickTime list packets other than those that were written:
 *
 * - uncompressed audio and ADPCM, with an entry for each sample or block
 * - AMR, with several frames in a packet
 * - E-AC-3, whose packets may contain a part of a frame
 * - VP9, whose hidden frames are joined to the next one
 */
const repacketizedCodecs = /^(pcm_|adpcm_|amr_|eac3$|vp9$)/;

/**
 * Returns a clause if a copied stream has a different number of packets than its source. The muxer reports how many
 * were written. If the file lists its packets, it must list the same number.
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
