import { AV_PKT_DATA_DISPLAYMATRIX, AVDISCARD_ALL } from 'node-av/constants';
import { aboutInput, MillraceError } from '../../../contract/errors.ts';
import { noteBounds, type OutputNote } from '../../../contract/notes.ts';
import { type Container, containers, isContainer } from '../containers.ts';
import type { EngineInput, ProcessReport, ProcessTask, StreamSummary } from '../engine.ts';
import { leftOutEmpty, list, type Plan, planTracks, type SourceStream, type Track, withoutData } from '../plan.ts';
import { printable } from '../printable.ts';
import { keepChapters } from './chapters.ts';
import { createClocks } from './clock.ts';
import { verifyComplete } from './complete.ts';
import { attachCover, attachFile, copyStream } from './copy.ts';
import { mixStreams } from './mix.ts';
import { isContinuous, type OpenInput, openInput, readCover, refuseCut, shownKind } from './open.ts';
import { openArriving } from './open-arriving.ts';
import { pump, type Reader } from './pump.ts';
import type { Sink, Workbench } from './sink.ts';
import { convertSubtitles } from './subtitles.ts';
import { transcodeStream } from './transcode.ts';
import { type OutputStream, WriteError, Writer } from './writer.ts';

/**
 * Carries out an operation on files.
 *
 * @throws MillraceError `incompatible_codecs`, `input_unreadable`, `input_incomplete` or `processing_failed`.
 */
export async function processFiles(task: ProcessTask, bench: Workbench): Promise<ProcessReport> {
  const { ext } = task.output;
  if (!isContainer(ext)) throw new Error(`no container is called ${ext}`);
  const inputs = await openAll(task, bench);
  const plan = planTracks(
    inputs.map(({ sources }) => sources),
    task.operation,
    ext,
  );
  try {
    return await carryOut(task, plan, inputs, bench);
  } catch (error) {
    const lean = error instanceof WriteError ? withoutData(plan) : undefined;
    if (lean === undefined) throw error;
    return await carryOut(task, lean, await openAll(task, bench), bench);
  }
}

/** A stream of the result, with what it is to be. */
interface Output {
  readonly track: Track;
  readonly output: OutputStream;
}

async function openAll(task: ProcessTask, bench: Workbench): Promise<readonly OpenInput[]> {
  const inputs: OpenInput[] = [];
  for (const [at, input] of task.inputs.entries()) inputs.push(await open(input, at, bench));
  return inputs;
}

async function carryOut(
  task: ProcessTask,
  plan: Plan,
  inputs: readonly OpenInput[],
  bench: Workbench,
): Promise<ProcessReport> {
  const container = containers[plan.container];
  const contents = list(plan.tracks.flatMap(({ sources }) => sources));
  const writer = new Writer(container, task.output.path, task.maxOutputBytes, bench.words, contents);
  try {
    return await write(writer, container, plan, inputs, bench);
  } catch (error) {
    if (error instanceof WriteError) writer.abandon();
    throw error;
  }
}

async function write(
  writer: Writer,
  container: Container,
  plan: Plan,
  inputs: readonly OpenInput[],
  bench: Workbench,
): Promise<ProcessReport> {
  const sinks = inputs.map(() => new Map<number, Sink>());
  const outputs: Output[] = [];
  for (const track of plan.tracks) {
    const output = writer.addStream();
    outputs.push({ track, output });
    const made = await makeSinks(track, inputs, output, container, writer.globalHeader, bench);
    track.sources.forEach(({ input, index }, at) => {
      const sink = made[at];
      if (sink !== undefined) sinks[input]?.set(index, sink);
    });
  }
  const readers = prepare(inputs, sinks, bench);
  const { chapters, notes } = keepChapters(readers, container);
  writer.describe(metadataOf(inputs[0]), chapters);
  await writer.begin();
  await pump(readers, writer, bench);
  for (const reader of readers) verifyReader(reader);
  const streams = outputs.flatMap((output) => summary(output, container));
  return {
    streams,
    duration: Math.max(0, ...streams.map((stream) => stream.duration ?? 0)),
    ...(await writer.finish()),
    notes: [
      ...plan.notes,
      ...notes,
      ...emptyTracks(outputs, container),
      ...lostTurns(plan.tracks, inputs, container),
    ].slice(0, noteBounds.count),
  };
}

async function open(input: EngineInput, at: number, { arriving, words }: Workbench): Promise<OpenInput> {
  const { jobInput = at } = input;
  const [name, file] = [`Input ${jobInput + 1}`, arriving.get(at)];
  try {
    return await (file === undefined ? openInput(input, at, name, words) : openArriving(input, at, name, words, file));
  } catch (error) {
    throw aboutInput(error, jobInput);
  }
}

async function makeSinks(
  track: Track,
  inputs: readonly OpenInput[],
  output: OutputStream,
  container: Container,
  globalHeader: boolean,
  { threads }: Workbench,
): Promise<readonly Sink[]> {
  const sources = track.sources.map((source) => ({ stream: streamOf(source, inputs), what: nameOf(source, inputs) }));
  const [first] = sources;
  const [source] = track.sources;
  if (first === undefined || source === undefined) throw new Error('a track has no source');
  const { kind } = track;
  if (track.action === 'copy') {
    if (source.cover && container.muxer === 'matroska') {
      return [attachCover(first.stream, coverOf(source, inputs), output)];
    }
    if (kind === 'attachment') return [attachFile(first.stream, output)];
    return [copyStream(first.stream, output, container.muxer)];
  }
  if (kind === 'data' || kind === 'attachment') throw new Error(`${kind} cannot be encoded`);
  if (kind === 'subtitle') {
    if (container.subtitleText === undefined) throw new Error(`${container.title} has no text subtitles`);
    return [convertSubtitles(first.stream, output, container.subtitleText)];
  }
  const setup = { choices: container.encoders[kind], threads, globalHeader };
  if (track.action === 'mix') return await mixStreams(sources, output, setup);
  return [await transcodeStream(first.stream, kind, output, setup, first.what)];
}

/** Says of which videos the result no longer tells how to turn them. */
function lostTurns(tracks: readonly Track[], inputs: readonly OpenInput[], container: Container): OutputNote[] {
  if (container.losesTurns !== true) return [];
  return tracks
    .flatMap(({ sources }) => sources)
    .filter((source) => streamOf(source, inputs).codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX) !== null)
    .map((source) => ({
      code: 'rotation_lost',
      message: `${nameOf(source, inputs)} will play unturned: ${container.title} cannot say how to turn it.`,
      input: source.jobInput,
    }));
}

function streamOf({ input, index }: SourceStream, inputs: readonly OpenInput[]) {
  const stream = inputs[input]?.streams[index];
  if (stream === undefined) throw new Error(`input ${input} has no stream ${index}`);
  return stream;
}

function coverOf(source: SourceStream, inputs: readonly OpenInput[]): Buffer {
  const input = inputs[source.input];
  const picture = input === undefined ? undefined : readCover(input, source.index);
  if (picture !== undefined) return picture;
  throw new MillraceError('input_unreadable', `The cover picture of ${input?.name.toLowerCase()} cannot be read.`, {
    input: source.jobInput,
  });
}

function nameOf({ input, codec, kind }: SourceStream, inputs: readonly OpenInput[]): string {
  return `The ${codec} ${kind} of ${inputs[input]?.name.toLowerCase() ?? 'the input'}`;
}

/**
 * Whether a stream has to be read even if nobody uses it: where a file promises its length as a whole and not for each
 * stream, only all of them together can tell that it is complete.
 */
function measured(input: OpenInput, at: number): boolean {
  const together = input.duration !== undefined && input.streamDurations.every((duration) => duration === undefined);
  return together && isContinuous(input, at);
}

/** Has the demuxers skip what nobody needs, and puts the inputs on one clock. */
function prepare(
  inputs: readonly OpenInput[],
  sinks: readonly ReadonlyMap<number, Sink>[],
  { arriving }: Workbench,
): Reader[] {
  const clocks = createClocks(
    inputs,
    sinks.map((map) => new Set(map.keys())),
  );
  return inputs.flatMap((input, at) => {
    const [clock, map] = [clocks[at], sinks[at]];
    if (clock === undefined || map === undefined) return [];
    const read = input.streams.map(({ index }) => map.has(index) || measured(input, index));
    for (const stream of input.streams) if (read[stream.index] !== true) stream.discard = AVDISCARD_ALL;
    return [{ input, clock, sinks: map, read, arriving: arriving.get(at) }];
  });
}

function verifyReader({ input, clock, read, ended }: Reader): void {
  if (ended === undefined) throw new Error(`${input.name} was not read to its end`);
  if (input.extension === 'arriving') refuseCut(input.path, input.name);
  const extents = input.streams.map(({ index }) => clock.extent(index));
  try {
    verifyComplete({ input, ended, extents, origin: clock.origin, read });
  } catch (error) {
    throw aboutInput(error, input.jobInput);
  }
}

/** What planning could not know: streams of which the inputs turned out to hold nothing. */
function emptyTracks(outputs: readonly Output[], container: Container): OutputNote[] {
  if (container.dropsEmpty !== true) return [];
  return outputs
    .filter(({ output }) => output.end() === undefined)
    .flatMap(({ track }) => track.sources.map(leftOutEmpty));
}

function summary({ track, output }: Output, container: Container): StreamSummary[] {
  const kind = track.sources[0] === undefined ? undefined : shownKind(track.sources[0]);
  if (kind === undefined || (container.dropsEmpty === true && output.end() === undefined)) return [];
  const duration = kind === 'subtitle' ? undefined : output.duration();
  return [{ kind, codec: output.codec(), ...(duration === undefined ? {} : { duration }) }];
}

const keptMetadata = [
  ...['title', 'artist', 'album', 'album_artist', 'track', 'disc', 'date', 'genre', 'composer', 'comment'],
  ...['description', 'copyright'],
];

/** What players show of a file, as the first input has it; the rest of its metadata speaks of that file alone. */
function metadataOf(input: OpenInput | undefined): Record<string, string> {
  // Ogg has no place for words about the whole file, so they stand with its stream.
  const stream = input?.format === 'ogg' ? input.streams.find(({ index }) => isContinuous(input, index)) : undefined;
  const kept = keptMetadata.flatMap((key) => {
    const value = input?.context.metadata?.get(key) ?? stream?.metadata?.get(key) ?? undefined;
    return value === undefined ? [] : [[key, printable(value).slice(0, 1000)] as const];
  });
  return Object.fromEntries(kept);
}
