import { AV_PKT_DATA_ENCRYPTION_INFO } from 'node-av/constants';
import { Dictionary, type FormatContext } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { NamedStream, Sink } from '../sink.ts';

/** The Matroska demuxer marks encrypted streams with this tag (RFC 9559 §5.1.4.1.31.9). */
const encryptionTag = 'enc_key_id';

/** MPEG-TS stream types of encrypted media (Apple, "MPEG-2 Stream Encryption Format for HTTP Live Streaming"). */
const encryptedStreamTypes = new Set([0xdb, 0xcf, 0xc1, 0xc2]);

/**
 * Marks streams as encrypted if only their container indicates it. The library keeps neither the sample description of
 * MP4 nor the stream type of MPEG-TS. It also marks no packet if one initialization vector applies to all (ISO/IEC
 * 23001-7 §9.1).
 *
 * @param encryptedTrackIds - IDs of the encrypted MP4 tracks.
 */
export function markEncrypted({ streams, iformat }: FormatContext, encryptedTrackIds: ReadonlySet<number>): void {
  for (const stream of streams) {
    const hasEncryptedType = iformat?.name === 'mpegts' && encryptedStreamTypes.has(Number(stream.codecpar.codecTag));
    if (!hasEncryptedType && !encryptedTrackIds.has(stream.id)) continue;
    stream.metadata = Dictionary.fromObject({ ...stream.metadata?.getAll(), [encryptionTag]: 'by the container' });
  }
}

/**
 * Refuses a stream that its container marks as encrypted. Copied without its keys it would look like any other stream,
 * but no player could play it.
 *
 * @param input - index of the job's input.
 * @throws MillraceError `source_unsupported`.
 */
export function refuseEncrypted({ stream, label }: NamedStream, input: number): void {
  if ((stream.metadata?.get(encryptionTag) ?? null) !== null) throw encryptedStreamError({ stream, label }, input);
}

/**
 * Returns a sink that refuses encrypted packets, and parts of the input in which the stream is encrypted. Encryption
 * may begin at any packet (ISO/IEC 23001-7 §6), so each packet is checked, which takes a microsecond.
 *
 * @param input - index of the job's input.
 * @throws MillraceError `source_unsupported` from its `push` and `startPart`.
 */
export function guardEncrypted(sink: Sink, first: NamedStream, input: number): Sink {
  let current = first;
  return {
    ...sink,
    push: (packet) => {
      if (packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO) !== null) throw encryptedStreamError(current, input);
      sink.push(packet);
    },
    startPart: (next) => {
      if (next !== undefined) {
        refuseEncrypted(next, input);
        current = next;
      }
      return sink.startPart(next);
    },
  };
}

function encryptedStreamError({ stream, label }: NamedStream, input: number): MillraceError {
  const remedy = 'Millrace does not decrypt media; use a source without DRM.';
  return new MillraceError('source_unsupported', `${label} (stream ${stream.index}) is encrypted. ${remedy}`, {
    input,
  });
}
