import { AVCOL_PRI_BT709, AVCOL_SPC_BT709, AVCOL_TRC_BT709 } from 'node-av/constants';
import { type Frame, type IRational, Rational } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import { limitNotes, type OutputNote } from '../../../../contract/output-notes.ts';
import { containerFormats, isOutputContainer } from '../../formats/container-formats.ts';
import { slideshowSize } from '../../slideshow/image-size.ts';
import { imageAt, scheduleSlideshow } from '../../slideshow/schedule.ts';
import type { ProcessReport } from '../../tasks/report.ts';
import type { ImageInput, SlideshowTask } from '../../tasks/task.ts';
import { Encoder } from '../output/encoder.ts';
import { frameGeometry } from '../output/frame-geometry.ts';
import { type OutputStream, Writer } from '../output/result-writer.ts';
import { encodersFor } from '../output/track-sinks.ts';
import type { TaskContext } from '../sink.ts';
import { type EncodedRound, RoundCollector } from './encode-round.ts';
import { fitImage, prepareImage } from './fit-image.ts';
import { readImage } from './read-image.ts';

/** Fractions of the task for reading the images and for encoding them; the rest is for repeating them. */
const readingShare = 0.2;
const encodingShare = 0.7;

const squarePixels = { num: 1, den: 1 };

/** The colours of the frames that `fit-image.ts` returns. */
const colour = { colorPrimaries: AVCOL_PRI_BT709, colorTrc: AVCOL_TRC_BT709, colorSpace: AVCOL_SPC_BT709 };

/**
 * Makes a video without sound from images.
 *
 * @throws MillraceError `input_unreadable` if no image can be read, or `processing_failed`.
 */
export async function encodeSlideshow(task: SlideshowTask, taskContext: TaskContext): Promise<ProcessReport> {
  const { path, ext } = task.output;
  if (!isOutputContainer(ext)) throw new Error(`unknown container ${ext}`);
  const container = containerFormats[ext];
  const { images, notes } = await readImages(task.images, taskContext);
  const { video = {} } = task;
  const fullSize = slideshowSize(images);
  const { crop, ...size } = frameGeometry({ ...fullSize, sampleAspectRatio: squarePixels }, video);
  const frames = images.map((image) => fitImage(image, fullSize, crop, size));
  const schedule = scheduleSlideshow(frames.length, task.secondsPerImage, task.soundSeconds, video.maxFps);
  const { rate } = schedule;
  const base = { num: 1, den: rate };
  const writer = new Writer(container, path, task.maxOutputBytes, taskContext.libraryLog, 'the images');
  const output = writer.addStream();
  const collector = new RoundCollector(output);
  const encoder = await Encoder.openVideo(
    encodersFor(container, 'video', { video }),
    { ...size, timeBase: base, frameRate: { num: rate, den: 1 }, pixelAspect: squarePixels, colour },
    collector,
    {
      threads: taskContext.threads,
      globalHeader: writer.globalHeader,
      settings: { videoOptions: encoderOptions(schedule.groupFrames) },
    },
  );
  output.stream.avgFrameRate = new Rational(rate, 1);
  const roundFrames = frames.length * schedule.framesPerImage;
  for (let at = 0; at < roundFrames; at += 1) {
    pushFrame(encoder, frames[imageAt(at, schedule, frames.length)], at, base);
    if (taskContext.pacer.shouldReport) {
      await taskContext.pacer.reportAndYield(readingShare + encodingShare * (at / roundFrames));
    }
  }
  encoder.end();
  await writer.begin();
  await repeatRound(collector.round, { ...schedule, roundFrames }, { writer, output }, taskContext);
  const stats = output.stats();
  const duration = schedule.frames / rate;
  const origin = { action: 'encode', sources: [] } as const;
  return {
    streams: [{ kind: 'video', codec: output.codec(), duration, origin, ...(stats === undefined ? {} : { stats }) }],
    duration,
    ...(await writer.finish()),
    notes: limitNotes(notes),
  };
}

async function readImages(
  inputs: readonly ImageInput[],
  { pacer }: TaskContext,
): Promise<{ readonly images: readonly Frame[]; readonly notes: readonly OutputNote[] }> {
  const images: Frame[] = [];
  const notes: OutputNote[] = [];
  for (const [at, { path, jobInput }] of inputs.entries()) {
    const image = await readImage(path);
    if ('frame' in image) {
      images.push(prepareImage(image));
    } else {
      const message = `Input ${jobInput + 1} is not in the slideshow, because ${image.unreadableBecause}.`;
      notes.push({ code: 'image_left_out', message, input: jobInput });
    }
    await pacer.reportAndYield((readingShare * (at + 1)) / inputs.length);
  }
  const [note] = notes;
  if (images.length === 0 && note?.input !== undefined) {
    const reason = note.message.replace('is not in the slideshow', 'cannot be shown');
    throw new MillraceError('input_unreadable', `${reason} Use at least one readable image.`, { input: note.input });
  }
  return { images, notes };
}

/** Encodes another reference to an image. */
function pushFrame(encoder: Encoder, image: Frame | undefined, at: number, base: IRational): void {
  const frame = image?.clone() ?? undefined;
  if (frame === undefined) throw new Error('an image cannot be referenced');
  frame.pts = BigInt(at);
  frame.duration = 1n;
  encoder.push(frame, base);
  frame.free();
}

/** Writes the packets of one round again and again. They depend on no earlier round, because each begins a group. */
async function repeatRound(
  { packets, base }: EncodedRound,
  { frames, roundFrames, rate }: { readonly frames: number; readonly roundFrames: number; readonly rate: number },
  { writer, output }: { readonly writer: Writer; readonly output: OutputStream },
  { pacer }: TaskContext,
): Promise<void> {
  const ticksPerFrame = BigInt(Math.round(base.den / base.num / rate));
  for (let from = 0; from < frames; from += roundFrames) {
    const shift = BigInt(from) * ticksPerFrame;
    // Frames are encoded in the order in which they are shown, so the last round may end anywhere.
    for (const packet of packets.slice(0, frames - from)) {
      const copy = packet.clone();
      if (copy === null) throw new Error('a packet cannot be referenced');
      copy.pts += shift;
      copy.dts += shift;
      output.write(copy, base);
      copy.free();
    }
    if (writer.failed) await writer.check();
    const done = readingShare + encodingShare;
    if (pacer.shouldReport) await pacer.reportAndYield(done + (1 - done) * (from / frames));
  }
}

/**
 * Returns the options of an encoder that begins each group of frames, and no other, with a key frame, and that encodes
 * frames in the order in which they are shown.
 */
function encoderOptions(groupFrames: number): Readonly<Record<string, string>> {
  return { g: `${groupFrames}`, keyint_min: `${groupFrames}`, sc_threshold: '0', bf: '0' };
}
