import type { OutputContainer } from '../../../../contract/containers.ts';
import type { StreamDescription } from './media-description.ts';

/**
 * Properties that a copy may lose because its container cannot store them. Each rule names its containers; everything
 * else must be unchanged.
 */

/**
 * Returns whether demuxers may split the stream into packets at any sample or block. This applies to uncompressed
 * audio, whose samples are independent, and to ADPCM in WAV, whose blocks are independent.
 */
export function isCut(codec: string, ext: OutputContainer): boolean {
  return codec.startsWith('pcm_') || (codec.startsWith('adpcm_') && ext === 'wav');
}

/**
 * Returns the codec name that the library's demuxer reports for a copy. The MP4 object type 0x6B is MPEG-1 audio of any
 * layer (ISO/IEC 14496-1, table 5), but FFmpeg 8.1 interprets it as layer III. Decoders use the header of each frame.
 */
export function codecAsRead(codec: string, ext: OutputContainer): string {
  return codec === 'mp2' && ext === 'mp4' ? 'mp3' : codec;
}

/**
 * Returns whether packets of a copy may be read as keyframes although they are not keyframes in the source. The
 * Matroska demuxer uses parsers, and the parsers of these codecs do not distinguish frame types. The file itself has
 * the flags of the source.
 */
export function keyAllowed(codec: string, ext: OutputContainer): boolean {
  return ext === 'mkv' && ['h261', 'h263', 'dirac'].includes(codec);
}

/**
 * Returns whether a container supports the codec of a stream, but not the stream itself. MP4 defines no MP3 below 16
 * kHz, and ADTS has no number for this layout of eight channels.
 */
export function isHindered({ codec, traits }: StreamDescription, ext: OutputContainer): boolean {
  if (codec === 'mp3') return ext === 'mp4' && Number(traits.rate) < 16_000;
  return codec === 'aac' && (ext === 'ts' || ext === 'aac') && traits.layout === '7.1';
}

/** Number of hidden audio packets before the first one that plays which decoders may need. */
const neededLead = 4;

/** Returns how many packets at the beginning of an audio stream a copy may lack, because the edit list hides them. */
export function unneededLead({ kind, packets }: StreamDescription): number {
  if (kind !== 'audio') return 0;
  const hidden = packets.findIndex(({ discard }) => !discard);
  return Math.max(0, hidden - neededLead);
}

const mp4Family: readonly OutputContainer[] = ['mp4', 'mov', 'm4a'];
const matroskaFamily: readonly OutputContainer[] = ['mkv', 'webm'];

/** Returns whether the container stores the duration of the last packet. Otherwise readers estimate it. */
export function keepsLastDuration(ext: OutputContainer): boolean {
  return mp4Family.includes(ext);
}

/**
 * Returns the flags that both containers support. MP4 sets the default flag of the first stream of each kind if none
 * has it, so only Matroska can declare that no stream is the default.
 */
export function allowedFlags(format: string, ext: OutputContainer): readonly string[] {
  const hasFlags = format.startsWith('mov') || format.startsWith('matroska');
  if (!hasFlags) return [];
  if (matroskaFamily.includes(ext)) return ['default', 'forced', 'comment', 'hearing impaired'];
  if (ext === 'mp4') return format.startsWith('mov') ? ['default', 'comment', 'hearing impaired'] : ['comment'];
  return [];
}

/** A trait that differs. */
interface TraitDifference {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Demuxer of the source. */
  readonly format: string;
  readonly ext: OutputContainer;
  readonly stream: StreamDescription;
}

/** Returns whether a trait may differ. */
export function traitAllowed(difference: TraitDifference): boolean {
  return rules.some((rule) => rule(difference));
}

const light = ['mastering display', 'content light level'];

const rules: readonly ((difference: TraitDifference) => boolean)[] = [
  // MPEG-TS cannot store rotation, nor HDR metadata outside the stream itself.
  ({ name, to, ext }) => ext === 'ts' && to === undefined && ['display matrix', ...light].includes(name),
  // Neither Matroska nor a plain WAV header declares the speaker of a channel.
  ({ name, to, ext, stream }) =>
    name === 'layout' && to === `${stream.traits.channels} channels` && (ext === 'mkv' || ext === 'wav'),
  // A matrix of 0 in FLV's extended header means unknown, but the library reads it as RGB.
  ({ name, from, to, format }) => name === 'matrix' && format === 'flv' && from === '0' && to === '2',
  // QuickTime has no number for RGB (Cinepak, QuickTime Animation, JPEG 2000), which decoders assume by themselves.
  ({ name, to, ext, stream }) =>
    ext === 'mov' && stream.traits.matrix === '0' && (name === 'matrix' ? to === '2' : name === 'range' && to === '0'),
  // QuickTime always declares the range of DNxHD. If the source does not declare a range, the copy declares that of the
  // standard.
  ({ name, from, to, ext, stream }) =>
    name === 'range' && from === '0' && to === '1' && ext === 'mov' && stream.codec === 'dnxhd',
  // FLV can only declare 44.1 kHz for AAC. The actual rate is in the stream's own header.
  ({ name, from, format, stream }) => name === 'rate' && format === 'flv' && from === '44100' && stream.codec === 'aac',
  // Formats with one stream have no language.
  ({ name, to, ext }) => name === 'language' && to === 'und' && oneStream.includes(ext),
];

const oneStream: readonly OutputContainer[] = ['mp3', 'wav', 'flac', 'aac', 'opus', 'ogg'];
