import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_DVB_SUBTITLE,
  AV_CODEC_ID_DVB_TELETEXT,
  AV_CODEC_ID_DVD_SUBTITLE,
  AV_CODEC_ID_EIA_608,
  AV_CODEC_ID_HDMV_PGS_SUBTITLE,
  AV_CODEC_ID_HDMV_TEXT_SUBTITLE,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SMPTE_KLV,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TTML,
  AV_CODEC_ID_WEBVTT,
  type AVCodecID,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants';
import { Rational } from 'node-av/lib';
import type { Writer } from '../media/output/result-writer.ts';
import { subtitleHeader } from '../subtitles/subtitle-text.ts';
import { packetOf } from './stream-extras.ts';

/** A stream that is neither video nor audio, with a packet every second. */
interface Sample {
  readonly codec: AVCodecID;
  readonly data?: true;
  /** Bytes of each packet. */
  readonly packet: Buffer;
  readonly setup?: Buffer;
}

const text = Buffer.from('Buongiorno');

/** The palette and frame size of VobSub, in the form of its `.idx` file and of CodecPrivate in Matroska. */
const vobSubSetup = Buffer.from(
  `size: 720x576\npalette: ${Array(4).fill('000000, ffffff, 808080, 404040').join(', ')}\n`,
);
/** An image of 8 by 2 pixels, displayed immediately and hidden after a second. */
const vobSub = Buffer.from('0026000800000000000000200103321004ffff050000070000030600040006ff0064002002ff', 'hex');
/** A page of teletext: its data identifier, and four lines. */
const teletext = Buffer.concat([
  Buffer.of(0x10),
  ...Array(4).fill(Buffer.concat([Buffer.of(2, 44), Buffer.alloc(44, 0x55)])),
]);

/** Sample streams, by FFmpeg's codec name. */
const samples = {
  subrip: { codec: AV_CODEC_ID_SUBRIP, packet: text },
  webvtt: { codec: AV_CODEC_ID_WEBVTT, packet: text },
  ass: {
    codec: AV_CODEC_ID_ASS,
    packet: Buffer.from('0,0,Default,,0,0,0,,Buongiorno'),
    setup: Buffer.from('[Script Info]\n'),
  },
  drawings: {
    codec: AV_CODEC_ID_ASS,
    packet: Buffer.from('0,0,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}'),
    setup: Buffer.from('[Script Info]\n'),
  },
  mov_text: {
    codec: AV_CODEC_ID_MOV_TEXT,
    packet: Buffer.concat([Buffer.of(0, text.length), text]),
    setup: subtitleHeader('mov_text') ?? Buffer.alloc(0),
  },
  dvd_subtitle: { codec: AV_CODEC_ID_DVD_SUBTITLE, packet: vobSub, setup: vobSubSetup },
  dvb_subtitle: {
    codec: AV_CODEC_ID_DVB_SUBTITLE,
    packet: Buffer.from('20000f100001000200000f80', 'hex'),
    setup: Buffer.of(0, 1, 0, 1, 0x10),
  },
  dvb_teletext: { codec: AV_CODEC_ID_DVB_TELETEXT, packet: teletext, setup: Buffer.of(9, 0) },
  hdmv_pgs_subtitle: {
    codec: AV_CODEC_ID_HDMV_PGS_SUBTITLE,
    packet: Buffer.from('16000b0780043810000080000000800000', 'hex'),
  },
  hdmv_text_subtitle: { codec: AV_CODEC_ID_HDMV_TEXT_SUBTITLE, packet: text, setup: Buffer.alloc(8) },
  eia_608: { codec: AV_CODEC_ID_EIA_608, packet: Buffer.of(0x94, 0x20, 0x41, 0x42) },
  ttml: { codec: AV_CODEC_ID_TTML, packet: Buffer.from('<p begin="0s" end="1s">Buongiorno</p>') },
  klv: { codec: AV_CODEC_ID_SMPTE_KLV, data: true, packet: text },
} as const satisfies Record<string, Sample>;

/** Adds a stream of each named kind, with the given number of packets. */
export function addStreams(names: readonly (keyof typeof samples)[], packets = 3) {
  return names.map((name) => (writer: Writer) => {
    const { codec, packet, setup, data }: Sample = samples[name];
    const output = writer.addStream();
    const { codecpar } = output.stream;
    codecpar.codecType = data === true ? AVMEDIA_TYPE_DATA : AVMEDIA_TYPE_SUBTITLE;
    codecpar.codecId = codec;
    if (setup !== undefined) codecpar.extradata = setup;
    if (codec === AV_CODEC_ID_DVD_SUBTITLE) [codecpar.width, codecpar.height] = [720, 576];
    output.stream.timeBase = new Rational(1, 1000);
    return () => {
      for (let second = 0; second < packets; second += 1) {
        output.write(packetOf(packet, 500 + 1000 * second, 800), { num: 1, den: 1000 });
      }
    };
  });
}
