import { AVDISCARD_ALL } from 'node-av/constants';
import { aboutInput } from '../../../../contract/errors.ts';
import type { OutputNote } from '../../../../contract/notes.ts';
import type { InputPart } from '../../engine.ts';
import { type CueFigures, totalOf } from '../../timing/cue-stats.ts';
import type { Ends } from '../../timing/part-starts.ts';
import type { EngineOperation } from '../../track-plan/track-plan.ts';
import { concatenateFigures, type FileStreams, type PartFigures } from '../../verification/concatenate-stats.ts';
import { isContinuous, type OpenInput, refuseCut } from '../input/open-input.ts';
import { openPart, type PartsOfInput } from '../input/open-part.ts';
import { inputNotes } from '../notes/stream-notes.ts';
import type { NamedStream, Sink, Workbench } from '../sink.ts';
import { toSeconds } from '../timestamps.ts';
import { type Follower, type InputClock, nextClock, sectionClocks } from './input-clock.ts';
import { type FirstPart, matchPart, refuseLost } from './match-part.ts';
import { MissingStreams } from './missing-streams.ts';
import type { Reader } from './pump.ts';
import { segmentReader } from './segment-reader.ts';
import { verifyComplete, verifyPromise } from './verify-complete.ts';

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
  /** Index of the file that is read. */
  part: number;
  /** What later parts are compared with; undefined while the first is read. */
  first?: FirstPart;
  /** By the first part's stream: the index of the stream that continues it in the current part. */
  pairs: readonly (number | undefined)[];
  /** Duration of the parts before, in seconds. */
  played: number;
  /** Seconds on the result's clock at which the next file begins by the playlist; NaN if it does not say. */
  declared: number;
  /** The figures of the parts that were read. */
  readonly figures: PartFigures[];
  /** By part: the figures of the cues of each stream. */
  readonly cues: (readonly (CueFigures | undefined)[])[];
  readonly missing: MissingStreams;
}

/** A file that was opened to follow another one. */
interface OpenedPart extends Follower {
  readonly progress: Progress;
  readonly part: InputPart;
  readonly sinks: ReadonlyMap<number, Sink>;
}

/**
 * Reads the files of an input one after the other. Separate video and audio are members of one sequence: each section
 * begins in all of them together, where all of the section before have ended. Within a section the files of each member
 * follow each other by themselves.
 */
export class Sequence {
  /** Streams that were left out: those that begin late, and those of later parts that the first one lacks. */
  readonly notes: OutputNote[] = [];
  readonly #bench: Workbench;
  readonly #members: readonly Progress[];
  /** Whether all members have the same sections. Otherwise each is one long section, whose parts follow the playlist. */
  readonly #aligned: boolean;
  /** When the files of the current section end that were read. */
  #ends: Ends[] = [];

  constructor(members: readonly Member[], bench: Workbench) {
    this.#bench = bench;
    this.#aligned = new Set(members.map(({ parts }) => sectionOf(parts.at(-1)))).size === 1;
    this.#members = members.map((member) => {
      const { input, clock, sinks } = member;
      return {
        member,
        reader: readerOf(member, 0, { input, sinks, isRead: readStreams(input, sinks) }, clock, bench),
        part: 0,
        pairs: [...input.streams.keys()],
        played: 0,
        declared: durationOf(member.parts[0]),
        figures: [],
        cues: [],
        missing: new MissingStreams(member),
      };
    });
  }

  /** The files that are read now. */
  get readers(): readonly Reader[] {
    return this.#members.map(({ reader }) => reader);
  }

  /** Timing of each input's packets, by index among the task's inputs; complete once all is read. */
  figures(): ReadonlyMap<number, FileStreams> {
    const figures = concatenateFigures(this.#members.map((progress) => progress.figures));
    return new Map(this.#members.map(({ member }, at) => [member.at, figures[at] ?? []]));
  }

  /** Cues of each input's streams, on the clocks of the parts, by index among the task's inputs. */
  cues(): ReadonlyMap<number, readonly (CueFigures | undefined)[]> {
    return new Map(
      this.#members.map(({ member, pairs, cues }) => {
        return [member.at, pairs.map((_, stream) => totalOf(cues.map((part) => part[stream])))];
      }),
    );
  }

  /**
   * Called when a file has been read. Checks it, and opens what follows: the member's next file, or, once all members
   * have read the current section, the first files of the next one.
   *
   * @returns The files to be read next.
   * @throws MillraceError `input_incomplete` for a file that ends early, `incompatible_codecs` for a next one whose
   *   streams cannot be copied after the first one's, and those of opening it.
   */
  async follow(ended: Reader): Promise<readonly Reader[]> {
    const progress = this.#members.find(({ reader }) => reader === ended);
    if (progress === undefined) throw new Error('a file was read that belongs to no member');
    this.#finishPart(progress);
    const next = nextOf(progress);
    if (next === undefined) this.#end(progress);
    else if (!this.#aligned || sectionOf(next) === sectionOf(currentOf(progress)))
      return [await this.#beginNext(progress, next)];
    return await this.#beginSection();
  }

  #finishPart(progress: Progress): void {
    const { member, reader, pairs, figures, cues, missing } = progress;
    progress.played += verifyPart(reader);
    this.#note(inputNotes(reader.input, member.operation));
    const ends = endsOf(reader);
    if (ends !== undefined) this.#ends.push(ends);
    missing.add(reader.clock, pairs);
    figures.push(figuresOf(progress));
    cues.push(cuesOf(progress));
  }

  /** Begins the next file of a member while the other members go on. */
  async #beginNext(progress: Progress, part: InputPart): Promise<Reader> {
    const { reader } = progress;
    const sameSection = sectionOf(part) === sectionOf(currentOf(progress));
    const ends = endsOf(reader);
    if (ends === undefined) throw new Error(`${reader.input.name} has no end`);
    const opened = await this.#open(progress, part);
    const { declared } = progress;
    const known = this.#members.length > 1 && !Number.isNaN(declared);
    const clock = nextClock(opened, { clock: reader.clock, ends, sameSection, ...(known ? { declared } : {}) });
    progress.declared += durationOf(part);
    return this.#read(opened, clock);
  }

  /** Begins the next section if all members have read the current one. */
  async #beginSection(): Promise<readonly Reader[]> {
    if (this.#members.some(({ reader }) => reader.ended === undefined)) return [];
    const waiting = this.#members.flatMap((progress) => nextOf(progress) ?? []);
    const section = Math.min(...waiting.map(sectionOf));
    const opened: OpenedPart[] = [];
    for (const progress of this.#members) {
      const part = nextOf(progress);
      if (part !== undefined && sectionOf(part) === section) opened.push(await this.#open(progress, part));
    }
    const clocks = sectionClocks(opened, lastOf(this.#ends));
    this.#ends = [];
    return opened.map((each, at) => {
      const clock = clocks[at];
      if (clock === undefined) throw new Error('a part has no clock');
      each.progress.declared = clock.begin + durationOf(each.part);
      return this.#read(each, clock);
    });
  }

  async #open(progress: Progress, part: InputPart): Promise<OpenedPart> {
    const { member, reader } = progress;
    progress.first ??= member.describe();
    // Nothing may refer to its streams any more.
    reader.input.context.closeInputSync();
    progress.part += 1;
    const input = await openPart(member, progress.part, this.#bench);
    const sinks = await this.#connect(progress, progress.first, input);
    return { progress, part, input, sinks, isRead: readStreams(input, sinks) };
  }

  #read(opened: OpenedPart, clock: InputClock): Reader {
    const { progress } = opened;
    progress.reader = readerOf(progress.member, progress.part, opened, clock, this.#bench);
    return progress.reader;
  }

  /** Connects the streams of a part to the sinks of the first part's streams. */
  async #connect(progress: Progress, first: FirstPart, input: OpenInput): Promise<ReadonlyMap<number, Sink>> {
    const { jobInput, sinks } = progress.member;
    try {
      const { pairs, leftOut, notes } = matchPart(first, input);
      progress.pairs = pairs;
      this.#note(notes);
      const matched = new Map<number, Sink>();
      for (const [index, sink] of sinks) {
        const own = pairs[index];
        await sink.follow(own === undefined ? undefined : namedStream(input, own));
        if (own !== undefined) matched.set(own, sink);
      }
      const continues = pairs.some((own) => own !== undefined && isContinuous(input, own));
      if (!continues && this.#members.length === 1) refuseLost(input, leftOut);
      return matched;
    } catch (error) {
      throw aboutInput(error, jobInput);
    }
  }

  /** Adds notes, each once. */
  #note(notes: readonly OutputNote[]): void {
    this.notes.push(...notes.filter(({ message }) => this.notes.every((note) => note.message !== message)));
  }

  /** Ends a member, of which all files have been read. */
  #end({ member, played, missing }: Progress): void {
    const { jobInput, sinks } = member;
    try {
      if (member.parts.length > 1) verifyPromise(`Input ${jobInput + 1}`, played, promisedOf(member));
      this.#note(missing.notes());
      for (const sink of sinks.values()) sink.end();
    } catch (error) {
      throw aboutInput(error, jobInput);
    }
  }
}

/** The file that a member reads, and the one after it. */
function currentOf({ member, part }: Progress): InputPart | undefined {
  return member.parts[part];
}

function nextOf({ member, part }: Progress): InputPart | undefined {
  return member.parts[part + 1];
}

function sectionOf(part: InputPart | undefined): number {
  return part?.section ?? 0;
}

function durationOf(part: InputPart | undefined): number {
  return part?.duration ?? Number.NaN;
}

function namedStream({ name, streams, sources }: OpenInput, index: number): NamedStream {
  const [stream, source] = [streams[index], sources[index]];
  if (stream === undefined || source === undefined) throw new Error(`${name} has no stream ${index}`);
  return { stream, what: `The ${source.codec} ${source.kind} of ${name.toLowerCase()}` };
}

function figuresOf({ member, part, reader, pairs }: Progress): PartFigures {
  const { input, clock } = reader;
  const { duration } = member.parts[part] ?? {};
  return {
    streams: clock.figures.all(),
    video: input.sources.map(({ kind }) => kind === 'video'),
    pairs,
    starts: input.starts,
    format: input.format,
    section: sectionOf(member.parts[part]),
    ...(duration === undefined ? {} : { declared: duration }),
  };
}

/** The cues of a file that was read, by the streams of the first part. */
function cuesOf({ reader, pairs }: Progress): (CueFigures | undefined)[] {
  return pairs.map((stream) => (stream === undefined ? undefined : reader.clock.cues[stream]?.figures()));
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
  { input, sinks, isRead }: Follower & { readonly sinks: ReadonlyMap<number, Sink> },
  clock: InputClock,
  { arriving }: Workbench,
): Reader {
  const read = input.streams.map(({ index }) => isRead(index));
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
    segments: segmentReader(input, clock, member.parts[part]?.segments, arriving.get(member.file + part)),
    arriving: arriving.get(member.file + part),
  };
}

/** Which streams of a file are read. */
function readStreams(input: OpenInput, sinks: ReadonlyMap<number, Sink>): (stream: number) => boolean {
  return (stream) => sinks.has(stream) || measured(input, stream, sinks.size === 0);
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

/** When the streams of a file end; nothing for a file without packets. */
function endsOf({ input, clock }: Reader): Ends | undefined {
  const ends = input.streams.flatMap(({ index }) => {
    const end = clock.extent(index)?.end;
    return end === undefined ? [] : [{ end, index }];
  });
  const continuous = ends.filter(({ index }) => isContinuous(input, index));
  const all = (continuous.length > 0 ? continuous : ends).map(({ end }) => end);
  const video = continuous.filter(({ index }) => input.sources[index]?.kind === 'video').map(({ end }) => end);
  if (all.length === 0) return undefined;
  return {
    earliest: Math.min(...all),
    latest: Math.max(...all),
    ...(video.length === 0 ? {} : { video: Math.max(...video) }),
  };
}

/** When several files end that play at the same time, or one after the other. */
function lastOf(files: readonly Ends[]): Ends {
  const video = files.flatMap((ends) => ends.video ?? []);
  return {
    earliest: Math.min(...files.map(({ earliest }) => earliest)),
    latest: Math.max(...files.map(({ latest }) => latest)),
    ...(video.length === 0 ? {} : { video: Math.max(...video) }),
  };
}

/** Checks that a file is complete. Returns its duration in seconds, with those that its playlist declares too much. */
function verifyPart({ input, clock, read, ended, segments }: Reader): number {
  if (ended === undefined) throw new Error(`${input.name} was not read to its end`);
  try {
    if (input.extension === 'arriving') refuseCut(input.path, input.name);
    const extents = input.streams.map(({ index }) => clock.extent(index));
    const overstated = segments?.verify() ?? 0;
    return overstated + verifyComplete({ input, ended, extents, origin: clock.origin, read, overstated });
  } catch (error) {
    throw aboutInput(error, input.jobInput);
  }
}
