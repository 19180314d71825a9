import {
  AV_CODEC_ID_DVD_SUBTITLE,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_WEBVTT,
  AV_PKT_FLAG_KEY,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants';
import { CodecParameters, Packet } from 'node-av/lib';
import type { SubtitleCodec } from './task.ts';

const text = Buffer.from('Buongiorno');

/**
 * A VobSub packet: two lines of 8 by 2 empty pixels, displayed immediately and hidden after a second (the control
 * sequences are described at http://dvd.sourceforge.net/dvdinfo/spu.html).
 */
const vobSub = Buffer.from('0026000800000000000000200103321004ffff050000070000030600040006ff0064002002ff', 'hex');
/** The content of VobSub's `.idx` file: frame size and palette. */
const vobSubSetup = Buffer.from(
  `size: 720x576\npalette: ${Array(4).fill('000000, ffffff, 808080, 404040').join(', ')}\n`,
);
/** The sample description of 3GPP TS 26.245 §5.16, without its header: white text, one font. */
const timedTextSetup = Buffer.concat([
  Buffer.from([0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0]),
  Buffer.alloc(8),
  Buffer.from([0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from('\0\0\0\x12ftab\0\x01\0\x01\x05Serif', 'latin1'),
]);

const kinds = {
  subrip: { id: AV_CODEC_ID_SUBRIP, cue: text },
  webvtt: { id: AV_CODEC_ID_WEBVTT, cue: text },
  mov_text: { id: AV_CODEC_ID_MOV_TEXT, cue: Buffer.concat([Buffer.of(0, text.length), text]), setup: timedTextSetup },
  dvd_subtitle: { id: AV_CODEC_ID_DVD_SUBTITLE, cue: vobSub, setup: vobSubSetup },
} as const satisfies Record<SubtitleCodec, object>;

/** Returns a repeatable part of one subtitle cue. */
export function subtitlePart(codec: SubtitleCodec): { parameters: CodecParameters; packets: Packet[]; close(): void } {
  const kind: { id: (typeof kinds)[SubtitleCodec]['id']; cue: Buffer; setup?: Buffer } = kinds[codec];
  const parameters = new CodecParameters();
  parameters.alloc();
  parameters.codecType = AVMEDIA_TYPE_SUBTITLE;
  parameters.codecId = kind.id;
  if (kind.setup !== undefined) parameters.extradata = kind.setup;
  if (codec === 'dvd_subtitle') [parameters.width, parameters.height] = [720, 576];
  const packet = new Packet();
  packet.alloc();
  packet.data = kind.cue;
  packet.flags = AV_PKT_FLAG_KEY;
  return { parameters, packets: [packet], close: () => packet.free() };
}
