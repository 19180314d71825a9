import { AV_PKT_DATA_ENCRYPTION_INFO } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { MillraceError } from '../../../contract/errors.ts';
import type { Sink } from './sink.ts';

/** Every how many packets encryption is checked: the beginning of an encrypted stream may be clear. */
const checkEvery = 64;

/**
 * A sink that refuses the packets of an encrypted stream. Copied without their keys they look like any others, and no
 * player could show them. MP4 marks each packet (ISO/IEC 23001-7), Matroska the track (RFC 9559 §5.1.4.1.31.9).
 *
 * @param what - the stream in messages, as the beginning of a sentence.
 * @param input - index of the job's input.
 * @throws MillraceError `source_unsupported`, at once or from its `push`.
 */
export function refuseEncrypted(sink: Sink, stream: Stream, what: string, input: number): Sink {
  const refuse = (): never => {
    const remedy = 'Millrace does not decrypt media; use a source without DRM.';
    throw new MillraceError('source_unsupported', `${what} is encrypted. ${remedy}`, { input });
  };
  if ((stream.metadata?.get('enc_key_id') ?? null) !== null) refuse();
  let packets = 0;
  return {
    ...sink,
    push: (packet) => {
      if (packets % checkEvery === 0 && packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO) !== null) refuse();
      packets += 1;
      sink.push(packet);
    },
  };
}
