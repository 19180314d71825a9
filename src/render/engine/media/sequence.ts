import { AVDISCARD_ALL } from 'node-av/constants';
import { aboutInput } from '../../../contract/errors.ts';
import type { OutputNote } from '../../../contract/notes.ts';
import { concatenateFigures, type FiguresPart, type FileStreams } from '../concatenate-figures.ts';
import type { FollowingPart } from '../engine.ts';
import type { EngineOperation } from '../plan.ts';
import { type Follower, followingClocks, type InputClock } from './clock.ts';
import { verifyComplete, verifyPromise } from './complete.ts';
import { type FirstPart, matchPart } from './match-part.ts';
import { isContinuous, type OpenInput, refuseCut } from './open.ts';
import { openPart, type PartsOfInput } from './open-part.ts';
import type { Reader } from './pump.ts';
import type { NamedStream, Sink, Workbench } from './sink.ts';
import { inputNotes } from './stream-notes.ts';
import { toSeconds } from './time.ts';

/** An input that a {@link Sequence} reads. */
export interface Member extends PartsOfInput {
  readonly operation: EngineOperation;
  /** Describes the first part, while it is open. */
  readonly describe: () => FirstPart;
  readonly input: OpenInput;
  readonly clock: InputClock;
  /** Where the packets of the first part's streams go, by their index. */
  readonly sinks: ReadonlyMap<number, Sink>;
}

/** The state of a member while it is read. */
interface Progress {
  readonly member: Member;
  reader: Reader;
  /** What later parts are compared with; undefined while the first is read. */
  first?: FirstPart;
  /** By the first part's stream: the index of the stream that continues it in the current part. */
  pairs: readonly (number | undefined)[];
  /** Duration of the parts before, in seconds. */
  played: number;
}

/**
 * Reads the files of an input one after the other: each begins where all before it have ended. Separate video and audio
 * stay in sync as members of one sequence, with equally many files.
 */
export class Sequence {
  /** Streams that were left out: those that begin late, and those of later parts that the first one lacks. */
  readonly notes: OutputNote[] = [];
  readonly #bench: Workbench;
  readonly #members: readonly Progress[];
  /** The figures of the parts that were read. */
  readonly #figures: FiguresPart[] = [];
  /** Index of the current part, and whether its clock may continue: the source signals no discontinuity. */
  #part = 0;
  #continues = false;

  constructor(members: readonly Member[], bench: Workbench) {
    this.#bench = bench;
    this.#members = members.map((member) => {
      const { input, clock, sinks } = member;
      return {
        member,
        reader: readerOf(member, 0, input, clock, sinks, bench),
        pairs: [...input.streams.keys()],
        played: 0,
      };
    });
  }

  /** The files that are read now. */
  get readers(): readonly Reader[] {
    return this.#members.map(({ reader }) => reader);
  }

  /** Timing of each input's packets, by index among the task's inputs; complete once all is read. */
  figures(): ReadonlyMap<number, FileStreams> {
    const figures = concatenateFigures(this.#figures);
    return new Map(this.#members.map(({ member }, at) => [member.at, figures[at] ?? []]));
  }

  /**
   * Called when a file has been read. When all members have read the current part, checks their files and opens those of
   * the next part.
   *
   * @returns The files to be read next.
   * @throws MillraceError `input_incomplete` for a file that ends early, `incompatible_codecs` for a next one whose
   *   streams cannot be copied after the first one's, and those of opening it.
   */
  async follow(): Promise<readonly Reader[]> {
    if (this.#members.some(({ reader }) => reader.ended === undefined)) return [];
    for (const progress of this.#members) {
      progress.played += verifyPart(progress.reader);
      this.#note(inputNotes(progress.reader.input, progress.member.operation));
    }
    this.#figures.push({ files: this.#members.map(figuresOf), continues: this.#continues });
    this.#part += 1;
    const parts = this.#members.flatMap(({ member }) => member.parts[this.#part] ?? []);
    if (parts.length === 0) {
      this.#end();
      return [];
    }
    return await this.#beginPart(parts);
  }

  /** Begins a part: the files of all members that play at the same time. */
  async #beginPart(parts: readonly FollowingPart[]): Promise<readonly Reader[]> {
    const ends = this.#members.flatMap(({ reader }) => endsOf(reader));
    const sinks: ReadonlyMap<number, Sink>[] = [];
    const followers: Follower[] = [];
    for (const [at, progress] of this.#members.entries()) {
      const { member, reader } = progress;
      const part = parts[at];
      if (part === undefined) throw new Error('the files of an input do not pair up');
      progress.first ??= member.describe();
      // Nothing refers to its streams any more.
      reader.input.context.closeInputSync();
      const input = await openPart(member, this.#part, this.#bench);
      const matched = await this.#connect(progress, progress.first, input);
      sinks.push(matched);
      const used = matched.size > 0 ? new Set(matched.keys()) : continuousOf(input);
      followers.push({ input, used, continues: part.continues === true, before: reader.clock });
    }
    this.#continues = followers.every(({ continues }) => continues);
    const clocks = followingClocks(followers, ends);
    return this.#members.map((progress, at) => {
      const [follower, clock] = [followers[at], clocks[at]];
      if (follower === undefined || clock === undefined) throw new Error('a part has no clock');
      const { member } = progress;
      progress.reader = readerOf(member, this.#part, follower.input, clock, sinks[at] ?? new Map(), this.#bench);
      return progress.reader;
    });
  }

  /** Connects the streams of a part to the sinks of the first part's streams. */
  async #connect(progress: Progress, first: FirstPart, input: OpenInput): Promise<ReadonlyMap<number, Sink>> {
    const { jobInput, sinks } = progress.member;
    try {
      const { pairs, notes } = matchPart(first, input);
      progress.pairs = pairs;
      this.#note(notes);
      const matched = new Map<number, Sink>();
      for (const [index, sink] of sinks) {
        const own = pairs[index];
        await sink.follow(own === undefined ? undefined : namedStream(input, own));
        if (own !== undefined) matched.set(own, sink);
      }
      return matched;
    } catch (error) {
      throw aboutInput(error, jobInput);
    }
  }

  /** Adds notes, each once. */
  #note(notes: readonly OutputNote[]): void {
    this.notes.push(...notes.filter(({ message }) => this.notes.every((note) => note.message !== message)));
  }

  #end(): void {
    for (const { member, played } of this.#members) {
      const { jobInput, sinks } = member;
      try {
        if (member.parts.length > 1) verifyPromise(`Input ${jobInput + 1}`, played, promisedOf(member));
        for (const sink of sinks.values()) sink.end();
      } catch (error) {
        throw aboutInput(error, jobInput);
      }
    }
  }
}

function namedStream({ name, streams, sources }: OpenInput, index: number): NamedStream {
  const [stream, source] = [streams[index], sources[index]];
  if (stream === undefined || source === undefined) throw new Error(`${name} has no stream ${index}`);
  return { stream, what: `The ${source.codec} ${source.kind} of ${name.toLowerCase()}` };
}

/** The figures of a file that was read, by the streams of the first part. */
function figuresOf({ reader, pairs }: Progress): FileStreams {
  const figures = reader.clock.figures.all();
  return pairs.map((stream) => (stream === undefined ? undefined : figures[stream]));
}

/** Seconds that the source promised of all parts together. */
function promisedOf({ parts }: Member): number | undefined {
  const durations = parts.flatMap(({ duration }) => duration ?? []);
  return durations.length < parts.length ? undefined : durations.reduce((sum, duration) => sum + duration, 0);
}

/** Creates a reader, and has the demuxer skip streams that nothing needs. */
function readerOf(
  member: Member,
  part: number,
  input: OpenInput,
  clock: InputClock,
  sinks: ReadonlyMap<number, Sink>,
  { arriving }: Workbench,
): Reader {
  const read = input.streams.map(({ index }) => sinks.has(index) || measured(input, index, sinks.size === 0));
  for (const stream of input.streams) if (read[stream.index] !== true) stream.discard = AVDISCARD_ALL;
  const several = member.parts.length > 1;
  const own = input.promised ?? input.duration ?? toSeconds(input.context.duration);
  return {
    input,
    clock,
    sinks,
    read,
    length: (several ? promisedOf(member) : own) ?? 0,
    last: part + 1 === member.parts.length,
    arriving: arriving.get(member.file + part),
  };
}

/**
 * Whether a stream is read even if it is not used. If a file declares its duration as a whole and not for each stream,
 * only all streams together show that it is complete, and a playlist declares the duration of all of them. If no stream
 * of a file is used, all of them give its duration.
 */
function measured(input: OpenInput, at: number, unused: boolean): boolean {
  const together = input.duration !== undefined && input.streamDurations.every((duration) => duration === undefined);
  // Subtitles may outlast video and audio, and count towards the declared duration.
  return (
    ((together || unused || input.promised !== undefined) && isContinuous(input, at)) ||
    (together && input.sources[at]?.kind === 'subtitle')
  );
}

/** Seconds on the result's clock at which the streams of a file end. */
function endsOf({ input, clock }: Reader): number[] {
  const extents = input.streams.map(({ index }) => ({ index, extent: clock.extent(index) }));
  const ends = extents.flatMap(({ index, extent }) => (isContinuous(input, index) ? (extent?.end ?? []) : []));
  return ends.length > 0 ? ends : extents.flatMap(({ extent }) => extent?.end ?? []);
}

function continuousOf(input: OpenInput): ReadonlySet<number> {
  return new Set(input.streams.flatMap(({ index }) => (isContinuous(input, index) ? [index] : [])));
}

/** Checks that a file is complete. Returns its duration in seconds. */
function verifyPart({ input, clock, read, ended }: Reader): number {
  if (ended === undefined) throw new Error(`${input.name} was not read to its end`);
  try {
    if (input.extension === 'arriving') refuseCut(input.path, input.name);
    const extents = input.streams.map(({ index }) => clock.extent(index));
    return verifyComplete({ input, ended, extents, origin: clock.origin, read });
  } catch (error) {
    throw aboutInput(error, input.jobInput);
  }
}
