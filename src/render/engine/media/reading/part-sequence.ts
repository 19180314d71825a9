import { withInput } from '../../../../contract/errors.ts';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import type { InputPart } from '../../tasks/task.ts';
import { type CueStats, totalOf } from '../../timing/cue-stats.ts';
import type { PartEnds } from '../../timing/part-starts.ts';
import { concatenateStats, type FileStreams } from '../../verification/concatenate-stats.ts';
import { refuseCut } from '../input/open-input.ts';
import { openPart } from '../input/open-part.ts';
import { isContinuous, type OpenInput } from '../input/opened-input.ts';
import { inputNotes } from '../notes/stream-notes.ts';
import type { NamedStream, Sink, TaskContext } from '../sink.ts';
import { type Follower, type InputClock, nextClock, sectionClocks } from './input-clock.ts';
import { type FirstPart, matchPart, refuseLost } from './match-part.ts';
import type { MemberProgress } from './member-progress.ts';
import { cuesOf, currentOf, nextOf, statsOf } from './member-progress.ts';
import { MissingStreams } from './missing-streams.ts';
import { endsOf, lastOf } from './part-ends.ts';
import { readerOf, readStreams } from './part-reader.ts';
import type { Reader } from './pump.ts';
import type { SequenceMember } from './sequence-member.ts';
import { durationOf, expectedDurationOf, sectionOf } from './sequence-member.ts';
import { verifyComplete, verifyExpectedDuration } from './verify-complete.ts';

/** A file that was opened to follow another one. */
interface OpenedPart extends Follower {
  readonly progress: MemberProgress;
  readonly part: InputPart;
  readonly sinks: ReadonlyMap<number, Sink>;
}

/**
 * Reads the files of an input one after the other. Separate video and audio are members of one sequence: each section
 * begins in all of them together, where all of the section before have ended. Within a section the files of each member
 * follow each other by themselves.
 */
export class PartSequence {
  /** Streams that were left out: those that begin late, and those of later parts that the first one lacks. */
  readonly notes: OutputNote[] = [];
  readonly #taskContext: TaskContext;
  readonly #members: readonly MemberProgress[];
  /** Whether all members have the same sections. Otherwise each is one long section, whose parts follow the playlist. */
  readonly #aligned: boolean;
  /** When the files of the current section end that were read. */
  #ends: PartEnds[] = [];

  constructor(members: readonly SequenceMember[], taskContext: TaskContext) {
    this.#taskContext = taskContext;
    this.#aligned = new Set(members.map(({ parts }) => sectionOf(parts.at(-1)))).size === 1;
    this.#members = members.map((member) => {
      const { input, clock, sinks } = member;
      return {
        member,
        reader: readerOf(member, 0, { input, sinks, isRead: readStreams(input, sinks) }, clock, taskContext),
        part: 0,
        pairs: [...input.streams.keys()],
        played: 0,
        declared: durationOf(member.parts[0]),
        stats: [],
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
  stats(): ReadonlyMap<number, FileStreams> {
    const stats = concatenateStats(this.#members.map((progress) => progress.stats));
    return new Map(this.#members.map(({ member }, at) => [member.at, stats[at] ?? []]));
  }

  /** Cues of each input's streams, on the clocks of the parts, by index among the task's inputs. */
  cues(): ReadonlyMap<number, readonly (CueStats | undefined)[]> {
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

  #finishPart(progress: MemberProgress): void {
    const { member, reader, pairs, stats, cues, missing } = progress;
    progress.played += verifyPart(reader);
    this.#note(inputNotes(reader.input, member.operation));
    const ends = endsOf(reader);
    if (ends !== undefined) this.#ends.push(ends);
    missing.add(reader.clock, pairs);
    stats.push(statsOf(progress));
    cues.push(cuesOf(progress));
  }

  /** Begins the next file of a member while the other members go on. */
  async #beginNext(progress: MemberProgress, part: InputPart): Promise<Reader> {
    const { reader } = progress;
    const sameSection = sectionOf(part) === sectionOf(currentOf(progress));
    const ends = endsOf(reader);
    if (ends === undefined) throw new Error(`${reader.input.name} has no end`);
    const opened = await this.#open(progress, part);
    const { declared } = progress;
    const hasDeclaredStart = this.#members.length > 1 && !Number.isNaN(declared);
    const clock = nextClock(opened, {
      clock: reader.clock,
      ends,
      sameSection,
      ...(hasDeclaredStart ? { declared } : {}),
    });
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

  async #open(progress: MemberProgress, part: InputPart): Promise<OpenedPart> {
    const { member, reader } = progress;
    progress.first ??= member.describe();
    // Nothing may refer to its streams any more.
    reader.input.context.closeInputSync();
    progress.part += 1;
    const input = await openPart(member, progress.part, this.#taskContext);
    const sinks = await this.#connect(progress, progress.first, input);
    return { progress, part, input, sinks, isRead: readStreams(input, sinks) };
  }

  #read(opened: OpenedPart, clock: InputClock): Reader {
    const { progress } = opened;
    progress.reader = readerOf(progress.member, progress.part, opened, clock, this.#taskContext);
    return progress.reader;
  }

  /** Connects the streams of a part to the sinks of the first part's streams. */
  async #connect(progress: MemberProgress, first: FirstPart, input: OpenInput): Promise<ReadonlyMap<number, Sink>> {
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
      throw withInput(error, jobInput);
    }
  }

  /** Adds notes, each once. */
  #note(notes: readonly OutputNote[]): void {
    this.notes.push(...notes.filter(({ message }) => this.notes.every((note) => note.message !== message)));
  }

  /** Ends a member, of which all files have been read. */
  #end({ member, played, missing }: MemberProgress): void {
    const { jobInput, sinks } = member;
    try {
      if (member.parts.length > 1) verifyExpectedDuration(`Input ${jobInput + 1}`, played, expectedDurationOf(member));
      this.#note(missing.notes());
      for (const sink of sinks.values()) sink.end();
    } catch (error) {
      throw withInput(error, jobInput);
    }
  }
}

function namedStream({ name, streams, sources }: OpenInput, index: number): NamedStream {
  const [stream, source] = [streams[index], sources[index]];
  if (stream === undefined || source === undefined) throw new Error(`${name} has no stream ${index}`);
  return { stream, what: `The ${source.codec} ${source.kind} of ${name.toLowerCase()}` };
}

/** Checks that a file is complete. Returns its duration in seconds, with those that its playlist declares too much. */
function verifyPart({ input, clock, read, ended, segments }: Reader): number {
  if (ended === undefined) throw new Error(`${input.name} was not read to its end`);
  try {
    if (input.completeness === 'growing') refuseCut(input.path, input.name);
    const extents = input.streams.map(({ index }) => clock.extent(index));
    const overstated = segments?.verify() ?? 0;
    return overstated + verifyComplete({ input, ended, extents, origin: clock.origin, read, overstated });
  } catch (error) {
    throw withInput(error, input.jobInput);
  }
}
