import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AVERROR_EOF, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import type { OutputContainer } from '../../../contract/containers.ts';
import { canHold, containerFormats } from '../formats/container-formats.ts';
import { openInput } from '../media/input/open-input.ts';
import { LibraryLog } from '../media/library-log.ts';
import { Decoder } from '../media/output/decoder.ts';
import { processWithLibrary } from '../media/process-with-library.ts';
import { noAdditions } from '../tasks/additions.ts';
import { ProgressPacer } from '../tasks/progress-pacer.ts';
import { findClip } from './corpus/clips.ts';
import { encodeClip } from './corpus/encode.ts';
import { muxFile, wantsGlobalHeader } from './corpus/mux.ts';

/**
 * Tests the copy table: encodes the corpus's clip of each codec, copies it into every container that should hold it,
 * and decodes the copy. Prints as JSON, for each pair, how much was decoded before and after, or what failed. Runs in a
 * separate process, because it loads the media library.
 */
const [directory = '.'] = process.argv.slice(2);

/** AMR frames, which FFmpeg cannot encode; any bits are valid audio. RFC 4867 §5. */
const amr: Readonly<Record<string, { readonly head: string; readonly mode: number; readonly bytes: number }>> = {
  amr_nb: { head: '#!AMR\n', mode: 0x3c, bytes: 31 },
  amr_wb: { head: '#!AMR-WB\n', mode: 0x44, bytes: 60 },
};

interface CopyAttempt {
  readonly before: number;
  readonly after?: number;
  readonly error?: string;
}

const libraryLog = new LibraryLog(directory);
const results: Record<string, CopyAttempt> = {};
const names = Object.keys(containerFormats) as OutputContainer[];
for (const kind of ['video', 'audio'] as const) {
  for (const codec of new Set(names.flatMap((ext) => containerFormats[ext].codecs[kind]))) {
    const path = join(directory, `source-${codec}`);
    if (amr[codec] === undefined) await makeSource(path, codec);
    else writeFileSync(path, amrFile(amr[codec]));
    const before = await framesOf(path);
    for (const ext of names.filter((name) => canHold(containerFormats[name], kind, codec))) {
      results[`${codec} in ${ext}`] = await tryCopy(path, ext, before);
    }
  }
}
process.stdout.write(JSON.stringify(results), () => process.kill(process.pid, 'SIGKILL'));

/** Encodes a clip of a codec into the first of several containers that can hold it. */
async function makeSource(path: string, codec: string): Promise<void> {
  const clip = findClip(codec);
  const ext =
    (['mkv', 'mov', 'ts', 'wav'] as const).find((name) => canHold(containerFormats[name], clip.kind, codec)) ?? 'mkv';
  const muxing = containerFormats[ext];
  const encodedClip = await encodeClip(clip, wantsGlobalHeader(muxing, libraryLog));
  await muxFile(path, { muxing, streams: [{ clip: encodedClip }] }, libraryLog);
}

/** Returns a second of AMR. */
function amrFile({ head, mode, bytes }: (typeof amr)[string]): Buffer {
  const frame = Buffer.from([mode, ...Array.from({ length: bytes }, (_, at) => (at * 37) & 255)]);
  return Buffer.concat([Buffer.from(head), ...Array.from({ length: 50 }, () => frame)]);
}

async function tryCopy(from: string, ext: OutputContainer, before: number): Promise<CopyAttempt> {
  const path = join(directory, `copy.${ext}`);
  try {
    await processWithLibrary(
      {
        directory,
        inputs: [{ path: from }],
        output: { path, ext },
        operation: { type: 'convert_format', copyStreams: true },
        maxOutputBytes: 1e8,
      },
      noAdditions,
      { libraryLog, pacer: new ProgressPacer(() => undefined, process.ppid), threads: 1, growingFiles: new Map() },
    );
    return { before, after: await framesOf(path) };
  } catch (error) {
    return { before, error: `${error}` };
  }
}

/**
 * Decodes the only stream of a file without errors. Returns its milliseconds of audio or its number of video frames.
 */
async function framesOf(path: string): Promise<number> {
  const { context, streams } = await openInput({ path }, 0, 'It', libraryLog);
  const [stream] = streams;
  if (stream === undefined || streams.length > 1) throw new Error('it does not have exactly one stream');
  const isVideo = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
  const decoder = await Decoder.open(stream, 1, 'it');
  let frames = 0;
  const count = ({ nbSamples }: { readonly nbSamples: number }) => {
    frames += isVideo ? 1 : nbSamples;
  };
  const packet = new Packet();
  packet.alloc();
  let result = context.readFrameSync(packet);
  for (; result >= 0; result = context.readFrameSync(packet)) {
    decoder.push(packet, count);
    packet.unref();
  }
  if (result !== AVERROR_EOF) throw new Error(`it ended with ${result}`);
  decoder.end(count);
  if (decoder.losses.lostSeconds > 0) throw new Error(`${decoder.losses} could not be decoded`);
  return isVideo ? frames : Math.round((frames / stream.codecpar.sampleRate) * 1000);
}
