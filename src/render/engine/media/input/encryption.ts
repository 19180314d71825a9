import { AV_PKT_DATA_ENCRYPTION_INFO } from 'node-av/constants';
import { Dictionary, type FormatContext } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { NamedStream, Sink } from '../sink.ts';

/** The demuxer of Matroska marks encrypted streams with this word (RFC 9559 §5.1.4.1.31.9). */
const mark = 'enc_key_id';

/** Stream types of MPEG-TS for encrypted media (Apple, "MPEG-2 Stream Encryption Format for HTTP Live Streaming"). */
const encryptedTypes = new Set([0xdb, 0xcf, 0xc1, 0xc2]);

/**
 * Marks streams as encrypted if only their container says so. The library keeps neither the sample description of MP4 nor
 * the stream type of MPEG-TS, and marks no packet where one initialization vector applies to all (ISO/IEC 23001-7 §9.1).
 *
 * @param ids - of the encrypted MP4 tracks.
 */
export function markEncrypted({ streams, iformat }: FormatContext, ids: ReadonlySet<number>): void {
  for (const stream of streams) {
    const typed = iformat?.name === 'mpegts' && encryptedTypes.has(Number(stream.codecpar.codecTag));
    if (!typed && !ids.has(stream.id)) continue;
    stream.metadata = Dictionary.fromObject({ ...stream.metadata?.getAll(), [mark]: 'by the container' });
  }
}

/**
 * Refuses a stream that its container says is encrypted. Copied without its keys it looks like any other, and no player
 * can show it.
 *
 * @param input - index of the job's input.
 * @throws MillraceError `source_unsupported`.
 */
export function refuseEncrypted({ stream, what }: NamedStream, input: number): void {
  if ((stream.metadata?.get(mark) ?? null) !== null) throw encrypted(what, input);
}

/**
 * A sink that refuses encrypted packets, and parts of the input in which the stream is encrypted. Encryption may begin at
 * any packet (ISO/IEC 23001-7 §6), so each is looked at, which takes a microsecond.
 *
 * @param input - index of the job's input.
 * @throws MillraceError `source_unsupported` from its `push` and `follow`.
 */
export function guardEncrypted(sink: Sink, first: NamedStream, input: number): Sink {
  let { what } = first;
  return {
    ...sink,
    push: (packet) => {
      if (packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO) !== null) throw encrypted(what, input);
      sink.push(packet);
    },
    follow: (next) => {
      if (next !== undefined) {
        refuseEncrypted(next, input);
        what = next.what;
      }
      return sink.follow(next);
    },
  };
}

function encrypted(what: string, input: number): MillraceError {
  const remedy = 'Millrace does not decrypt media; use a source without DRM.';
  return new MillraceError('source_unsupported', `${what} is encrypted. ${remedy}`, { input });
}
