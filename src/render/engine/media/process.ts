import { AV_PKT_DATA_DISPLAYMATRIX, type AVPacketSideDataType } from 'node-av/constants';
import { MillraceError } from '../../../contract/errors.ts';
import { boundedNotes, type OutputNote } from '../../../contract/notes.ts';
import type { SourceFigures } from '../compare-figures.ts';
import { type Container, containers, isContainer } from '../containers.ts';
import type { EngineInput, ProcessReport, ProcessTask, WrittenStream } from '../engine.ts';
import { partsOf } from '../input-files.ts';
import { list, type Plan, planTracks, type SourceStream, type Track, withoutData } from '../plan.ts';
import { printable } from '../printable.ts';
import { keepChapters } from './chapters.ts';
import { createClocks } from './clock.ts';
import { attachCover, attachFile, copyStream } from './copy.ts';
import { nameWebVtt } from './declared.ts';
import { refuseEncrypted } from './encrypted.ts';
import { describeFirst } from './match-part.ts';
import { mixStreams } from './mix.ts';
import { isContinuous, type OpenInput, readCover, shownKind } from './open.ts';
import { openPart, type PartsOfInput } from './open-part.ts';
import { pump } from './pump.ts';
import { type Member, Sequence } from './sequence.ts';
import type { Sink, Workbench } from './sink.ts';
import { isDropped, outputNotes, type TrackOutput } from './stream-notes.ts';
import { convertSubtitles } from './subtitles.ts';
import { projections, transcodeStream } from './transcode.ts';
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

async function openAll(task: ProcessTask, bench: Workbench): Promise<readonly OpenInput[]> {
  const inputs: OpenInput[] = [];
  for (const parts of partsOfInputs(task.inputs)) inputs.push(nameWebVtt(await openPart(parts, 0, bench)));
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
    return await write(writer, task, plan, inputs, bench);
  } catch (error) {
    if (error instanceof WriteError) writer.abandon();
    throw error;
  }
}

async function write(
  writer: Writer,
  task: ProcessTask,
  plan: Plan,
  inputs: readonly OpenInput[],
  bench: Workbench,
): Promise<ProcessReport> {
  const container = containers[plan.container];
  const parts = partsOfInputs(task.inputs);
  const sinks = inputs.map(() => new Map<number, Sink>());
  const outputs: TrackOutput[] = [];
  for (const track of plan.tracks) {
    const output = writer.addStream();
    const made = await makeSinks(track, inputs, output, container, writer.globalHeader, bench);
    outputs.push({ track, output, sinks: made });
    track.sources.forEach((source, at) => {
      const sink = made[at];
      if (sink === undefined) return;
      const guarded = refuseEncrypted(sink, streamOf(source, inputs), nameOf(source, inputs), source.jobInput);
      sinks[source.input]?.set(source.index, guarded);
    });
  }
  const clocks = createClocks(
    inputs,
    sinks.map((map) => new Set(map.keys())),
  );
  const members = inputs.flatMap((input, at): Member[] => {
    const [own, clock, map] = [parts[at], clocks[at], sinks[at]];
    if (own === undefined || clock === undefined || map === undefined) return [];
    return [
      {
        ...own,
        operation: task.operation.type,
        describe: () => describeFirst(input, plan.tracks, task),
        input,
        clock,
        sinks: map,
      },
    ];
  });
  const { chapters, notes } = keepChapters(members, container);
  const displays = lostDisplay(plan.tracks, inputs, container);
  writer.describe(metadataOf(inputs[0]), chapters);
  await writer.begin();
  const sequences = sequencesOf(members, bench);
  await pump(
    members.flatMap(({ at }) => sequences[at]?.readers.filter(({ input }) => input.at === at) ?? []),
    async ({ input }) => (await sequences[input.at]?.follow()) ?? [],
    writer,
    bench,
  );
  const later = [...new Set(sequences)].flatMap((sequence) => sequence.notes);
  const read = new Map(sequences.flatMap((sequence) => [...sequence.figures()]));
  const sourceOf = ({ input, jobInput, index }: SourceStream): SourceFigures => {
    const figures = read.get(input)?.[index];
    const undecoded = sinks[input]?.get(index)?.undecoded?.() ?? 0;
    return { file: input, input: jobInput, undecoded, ...(figures === undefined ? {} : { figures }) };
  };
  const written = outputs.filter((each) => !isDropped(each, container));
  const streams = written.flatMap((each) => summary(each, sourceOf));
  return {
    streams,
    duration: Math.max(0, ...streams.map((stream) => stream.duration ?? 0)),
    ...(await writer.finish()),
    notes: boundedNotes([...plan.notes, ...outputNotes(outputs, container), ...notes, ...displays, ...later]),
  };
}

function partsOfInputs(inputs: readonly EngineInput[]): PartsOfInput[] {
  let file = 0;
  return inputs.map((input, at) => {
    const parts = partsOf(input);
    const own = { at, jobInput: input.jobInput ?? at, parts, file };
    file += parts.length;
    return own;
  });
}

/** The sequence that reads each input; inputs that are of one source and have as many parts share theirs. */
function sequencesOf(members: readonly Member[], bench: Workbench): readonly Sequence[] {
  const groups = Map.groupBy(members, ({ at, jobInput, parts }) => {
    return parts.length === 1 ? `${at}` : `${parts.length} parts of ${jobInput}`;
  });
  const sequences: Sequence[] = [];
  for (const group of groups.values()) {
    const sequence = new Sequence(group, bench);
    for (const { at } of group) sequences[at] = sequence;
  }
  return sequences;
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
    return [convertSubtitles(first.stream, output, container.subtitleText, first.what)];
  }
  const setup = { choices: container.encoders[kind], threads, globalHeader };
  if (track.action === 'mix') return await mixStreams(sources, output, setup);
  return [await transcodeStream(first, kind, output, setup)];
}

/** Says of which videos the result no longer tells how to show them. */
function lostDisplay(tracks: readonly Track[], inputs: readonly OpenInput[], container: Container): OutputNote[] {
  if (container.losesDisplay !== true) return [];
  return tracks
    .flatMap(({ sources }) => sources)
    .flatMap((source): OutputNote[] => {
      const has = (data: AVPacketSideDataType) => streamOf(source, inputs).codecpar.getCodedSideData(data) !== null;
      const name = nameOf(source, inputs);
      const turned = `${name} will play unturned: ${container.title} cannot say how to turn it.`;
      const flat = `${name} will play flat: ${container.title} cannot say that it is spherical or stereoscopic.`;
      return [
        ...(has(AV_PKT_DATA_DISPLAYMATRIX) ? [{ code: 'rotation_lost', message: turned } as const] : []),
        ...(projections.some(has) ? [{ code: 'projection_lost', message: flat } as const] : []),
      ].map((note) => ({ ...note, input: source.jobInput }));
    });
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

function summary({ track, output }: TrackOutput, sourceOf: (source: SourceStream) => SourceFigures): WrittenStream[] {
  const kind = track.sources[0] === undefined ? undefined : shownKind(track.sources[0]);
  if (kind === undefined) return [];
  const codec = output.codec();
  if (kind === 'subtitle') return [{ kind, codec }];
  const origin = { action: track.action, sources: track.sources.map(sourceOf) };
  const figures = output.figures();
  return [
    { kind, codec, origin, ...(figures === undefined ? {} : { figures, duration: figures.end - figures.first }) },
  ];
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
