import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AVERROR_EOF, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import type { OutputContainer } from '../../../contract/containers.ts';
import { containers, type EncoderChoice, fits } from '../containers.ts';
import { Decoder } from '../media/decoder.ts';
import { openInput } from '../media/open.ts';
import { Pace } from '../media/pace.ts';
import { processFiles } from '../media/process.ts';
import { Words } from '../media/words.ts';
import { makeFile, type Recipe } from './make-file.ts';

/**
 * Tries the copy table: encodes a second in each codec, copies it into every
 * container that is said to hold it, and decodes it from there. Prints, as JSON, for each pair how much was
 * decoded before and after, or what went wrong. Runs in a process of its own, since it loads the media library.
 */
const [directory = '.'] = process.argv.slice(2);

/** Encoders by the codec they make, where their names differ. */
const encoders: Readonly<Record<string, string>> = {
  h264: 'libx264',
  hevc: 'libx265',
  av1: 'libsvtav1',
  vp9: 'libvpx-vp9',
  vp8: 'libvpx',
  theora: 'libtheora',
  opus: 'libopus',
  mp3: 'libmp3lame',
  vorbis: 'libvorbis',
  dts: 'dca',
  dirac: 'vc2',
  flv1: 'flv',
  msmpeg4v3: 'msmpeg4',
};

/** What encoders need that do not take every size and pixel format. */
const pictures: Readonly<Record<string, Pick<Recipe, 'size' | 'pixels'>>> = {
  cfhd: { size: [320, 192], pixels: 'yuv422p10le' },
  cinepak: { size: [160, 96], pixels: 'rgb24' },
  dnxhd: { size: [1280, 720], pixels: 'yuv422p' },
  dvvideo: { size: [720, 576] },
  h261: { size: [176, 144] },
  h263: { size: [176, 144] },
  huffyuv: { pixels: 'yuv422p' },
  png: { pixels: 'rgb24' },
  prores: { pixels: 'yuv422p10le' },
  qtrle: { pixels: 'rgb24' },
  svq1: { size: [160, 96], pixels: 'yuv410p' },
};

/** Frames of AMR, which FFmpeg does not encode: any bits are valid audio. RFC 4867 §5. */
const amr: Readonly<Record<string, { readonly head: string; readonly mode: number; readonly bytes: number }>> = {
  amr_nb: { head: '#!AMR\n', mode: 0x3c, bytes: 31 },
  amr_wb: { head: '#!AMR-WB\n', mode: 0x44, bytes: 60 },
};

interface Tried {
  readonly before: number;
  readonly after?: number;
  readonly error?: string;
}

const words = new Words(directory);
const results: Record<string, Tried> = {};
const names = Object.keys(containers) as OutputContainer[];
for (const kind of ['video', 'audio'] as const) {
  for (const codec of new Set(names.flatMap((ext) => containers[ext].codecs[kind]))) {
    const path = join(directory, `source-${codec}`);
    const choice: EncoderChoice = {
      name: encoders[codec] ?? codec,
      // FFmpeg's DTS encoder is experimental, JPEG in limited range unofficial; DNxHD has few bit rates.
      options: { strict: '-2', ...(codec === 'dnxhd' ? { b: '90M' } : {}) },
      maxChannels: 2,
      // DTS needs more than others take.
      bitRatePerChannel: codec === 'dts' ? 384_000 : 64_000,
    };
    if (amr[codec] === undefined) {
      const ext = (['mkv', 'mov', 'ts', 'wav'] as const).find((name) => fits(containers[name], kind, codec)) ?? 'mkv';
      const seconds = { videoSeconds: 1, audioSeconds: 1 };
      await makeFile(path, { container: containers[ext], [kind]: [choice], ...seconds, ...pictures[codec] });
    } else {
      writeFileSync(path, amrFile(amr[codec]));
    }
    const before = await framesOf(path);
    for (const ext of names.filter((name) => fits(containers[name], kind, codec))) {
      results[`${codec} in ${ext}`] = await tryCopy(path, ext, before);
    }
  }
}
process.stdout.write(JSON.stringify(results), () => process.kill(process.pid, 'SIGKILL'));

/** A second of AMR. */
function amrFile({ head, mode, bytes }: (typeof amr)[string]): Buffer {
  const frame = Buffer.from([mode, ...Array.from({ length: bytes }, (_, at) => (at * 37) & 255)]);
  return Buffer.concat([Buffer.from(head), ...Array.from({ length: 50 }, () => frame)]);
}

async function tryCopy(from: string, ext: OutputContainer, before: number): Promise<Tried> {
  const path = join(directory, `copy.${ext}`);
  try {
    await processFiles(
      {
        directory,
        inputs: [{ path: from }],
        output: { path, ext },
        operation: { type: 'convert_format', copyStreams: true },
        maxOutputBytes: 1e8,
      },
      { words, pace: new Pace(() => undefined, process.ppid), threads: 1, arriving: new Map() },
    );
    return { before, after: await framesOf(path) };
  } catch (error) {
    return { before, error: `${error}` };
  }
}

/** Milliseconds of sound, or the number of pictures, that a file's one stream decodes to without an error. */
async function framesOf(path: string): Promise<number> {
  const { context, streams } = await openInput({ path }, 0, 'It', words);
  const [stream] = streams;
  if (stream === undefined || streams.length > 1) throw new Error('it has not one stream');
  const isVideo = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
  const decoder = await Decoder.open(stream, 1, 'it');
  let frames = 0;
  const count = ({ nbSamples }: { readonly nbSamples: number }) => {
    frames += isVideo ? 1 : nbSamples;
  };
  const packet = new Packet();
  packet.alloc();
  let got = context.readFrameSync(packet);
  for (; got >= 0; got = context.readFrameSync(packet)) {
    decoder.push(packet, count);
    packet.unref();
  }
  if (got !== AVERROR_EOF) throw new Error(`it ended with ${got}`);
  decoder.end(count);
  if (decoder.bad > 0) throw new Error(`${decoder.bad} packets could not be decoded`);
  return isVideo ? frames : Math.round((frames / stream.codecpar.sampleRate) * 1000);
}
