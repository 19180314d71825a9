import { withInput } from '../../../../contract/errors.ts';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import type { InputPart } from '../../tasks/task.ts';
import { type CueStats, mergeCueStats } from '../../timing/cue-stats.ts';
import type { PartEnds } from '../../timing/part-starts.ts';
import { concatenateStats, type FileStreams } from '../../verification/concatenate-stats.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';
import { refuseTruncated } from '../input/open-input.ts';
import { openPart } from '../input/open-part.ts';
import { inputNotes } from '../notes/stream-notes.ts';
import type { NamedStream, Sink, TaskContext } from '../sink.ts';
import { damageNotes } from './damage-notes.ts';
import { type FollowingFile, type InputClock, nextClock, sectionClocks } from './input-clock.ts';
import { type FirstPart, matchPart, refuseUnmatched } from './match-part.ts';
import type { MemberProgress } from './member-progress.ts';
import { collectPartCues, collectPartStats, getCurrentPart, getNextPart } from './member-progress.ts';
import { MissingStreams } from './missing-streams.ts';
import { mergePartEnds, partEnds } from './part-ends.ts';
import { createReader, createStreamFilter } from './part-reader.ts';
import type { PartReader } from './pump.ts';
import type { SequenceMember } from './sequence-member.ts';
import { declaredDuration, sectionNumber, totalDeclaredDuration } from './sequence-member.ts';
import { verifyComplete, verifyExpectedDuration } from './verify-complete.ts';

/** A file that was opened to follow another one. */
interface NextPart extends FollowingFile {
  readonly progress: MemberProgress;
  readonly part: InputPart;
  readonly sinks: ReadonlyMap<number, Sink>;
}

/**
 * Reads the files of an input one after another. Separate video and audio are members of one sequence. Each section
 * begins in all members together, once the previous section has ended in all of them. Within a section, each member's
 * files follow one another independently of the other members.
 */
export class PartSequence {
  /**
   * Notes about streams that were left out: those that begin late, and those of later parts that the first one lacks.
   */
  readonly notes: OutputNote[] = [];
  readonly #taskContext: TaskContext;
  readonly #members: readonly MemberProgress[];
  /**
   * Whether all members have the same sections. Otherwise each member is one long section, whose parts follow the
   * playlist.
   */
  readonly #aligned: boolean;
  /** End times of the current section's files that were read. */
  #ends: PartEnds[] = [];

  constructor(members: readonly SequenceMember[], taskContext: TaskContext) {
    this.#taskContext = taskContext;
    this.#aligned = new Set(members.map(({ parts }) => sectionNumber(parts.at(-1)))).size === 1;
    this.#members = members.map((member) => {
      const { input, clock, sinks } = member;
      return {
        member,
        reader: createReader(member, 0, { input, sinks, isRead: createStreamFilter(input, sinks) }, clock, taskContext),
        part: 0,
        isOver: false,
        pairs: [...input.streams.keys()],
        playedSeconds: 0,
        declaredStart: clock.begin + declaredDuration(member.parts[0]),
        stats: [],
        cues: [],
        missing: new MissingStreams(member),
      };
    });
  }

  /** The files that are currently read. */
  get readers(): readonly PartReader[] {
    return this.#members.map(({ reader }) => reader);
  }

  /** Returns the timing of each input's packets, by index among the task's inputs. Complete once everything is read. */
  stats(): ReadonlyMap<number, FileStreams> {
    const stats = concatenateStats(this.#members.map((progress) => progress.stats));
    return new Map(this.#members.map(({ member }, at) => [member.inputIndex, stats[at] ?? []]));
  }

  /** Returns the cues of each input's streams, on the clocks of the parts, by index among the task's inputs. */
  cues(): ReadonlyMap<number, readonly (CueStats | undefined)[]> {
    return new Map(
      this.#members.map(({ member, pairs, cues }) => {
        return [member.inputIndex, pairs.map((_, stream) => mergeCueStats(cues.map((part) => part[stream])))];
      }),
    );
  }

  /**
   * Called when a file has been read. Checks it and opens the following files: the member's next file, or, once all
   * members have read the current section, the first files of the next section.
   *
   * @returns The files to read next.
   * @throws MillraceError `input_incomplete` for a file that ends early, `incompatible_codecs` for a next file whose
   * streams cannot be copied after those of the first, and the errors of opening it.
   */
  async advance(finishedReader: PartReader): Promise<readonly PartReader[]> {
    const progress = this.#members.find(({ reader }) => reader === finishedReader);
    if (progress === undefined) throw new Error('the finished file belongs to no member');
    this.#finishPart(progress);
    const next = getNextPart(progress);
    if (next === undefined) this.#endMember(progress);
    else if (!this.#aligned || sectionNumber(next) === sectionNumber(getCurrentPart(progress)))
      return [await this.#beginNext(progress, next)];
    return await this.#beginSection();
  }

  #finishPart(progress: MemberProgress): void {
    const { member, reader, pairs, stats, cues, missing } = progress;
    const { cutter, clock, sinks } = reader;
    reader.order.refuseChanges(reader.input, clock);
    progress.isOver = cutter?.isPast(sinks.values(), clock.position) === true;
    const notes = damageNotes(reader);
    progress.playedSeconds += verifyPart(reader);
    this.#addNotes([...notes, ...inputNotes(reader.input, member.operation)]);
    const ends = partEnds(reader);
    if (ends !== undefined) this.#ends.push(ends);
    missing.add(reader.clock, pairs);
    stats.push(collectPartStats(progress));
    cues.push(collectPartCues(progress));
  }

  /** Begins the next file of a member while the other members continue. */
  async #beginNext(progress: MemberProgress, part: InputPart): Promise<PartReader> {
    const { reader } = progress;
    const sameSection = sectionNumber(part) === sectionNumber(getCurrentPart(progress));
    const ends = partEnds(reader);
    if (ends === undefined) throw new Error(`${reader.input.name} has no end`);
    const nextPart = await this.#open(progress, part);
    const { declaredStart } = progress;
    const hasDeclaredStart = this.#members.length > 1 && !Number.isNaN(declaredStart);
    const clock = nextClock(nextPart, {
      clock: reader.clock,
      ends,
      sameSection,
      ...(hasDeclaredStart ? { declaredStart } : {}),
    });
    progress.declaredStart += declaredDuration(part);
    return this.#startReading(nextPart, clock);
  }

  /** Begins the next section if all members have read the current one. */
  async #beginSection(): Promise<readonly PartReader[]> {
    if (this.#members.some(({ reader }) => reader.endCode === undefined)) return [];
    const waiting = this.#members.flatMap((progress) => getNextPart(progress) ?? []);
    const section = Math.min(...waiting.map(sectionNumber));
    const nextParts: NextPart[] = [];
    for (const progress of this.#members) {
      const part = getNextPart(progress);
      if (part !== undefined && sectionNumber(part) === section) nextParts.push(await this.#open(progress, part));
    }
    const clocks = sectionClocks(nextParts, mergePartEnds(this.#ends));
    this.#ends = [];
    return nextParts.map((each, at) => {
      const clock = clocks[at];
      if (clock === undefined) throw new Error('a part has no clock');
      each.progress.declaredStart = clock.begin + declaredDuration(each.part);
      return this.#startReading(each, clock);
    });
  }

  async #open(progress: MemberProgress, part: InputPart): Promise<NextPart> {
    const { member, reader } = progress;
    progress.first ??= member.describe();
    // The first part must be described before this, because the streams of a closed file must no longer be referenced.
    reader.input.context.closeInputSync();
    progress.part += 1;
    const input = await openPart(member, progress.part, this.#taskContext);
    const sinks = await this.#connect(progress, progress.first, input);
    return { progress, part, input, sinks, isRead: createStreamFilter(input, sinks) };
  }

  #startReading(nextPart: NextPart, clock: InputClock): PartReader {
    const { progress } = nextPart;
    progress.reader = createReader(progress.member, progress.part, nextPart, clock, this.#taskContext);
    return progress.reader;
  }

  /** Connects the streams of a part to the sinks of the first part's streams. */
  async #connect(progress: MemberProgress, first: FirstPart, input: MediaInput): Promise<ReadonlyMap<number, Sink>> {
    const { jobInput, sinks } = progress.member;
    try {
      const { pairs, leftOut, notes } = matchPart(first, input);
      progress.pairs = pairs;
      this.#addNotes(notes);
      const partSinks = new Map<number, Sink>();
      for (const [index, sink] of sinks) {
        const own = pairs[index];
        await sink.startPart(own === undefined ? undefined : namedStream(input, own));
        if (own !== undefined) partSinks.set(own, sink);
      }
      const continues = pairs.some((own) => own !== undefined && isContinuous(input, own));
      if (!continues && this.#members.length === 1) refuseUnmatched(input, leftOut);
      return partSinks;
    } catch (error) {
      throw withInput(error, jobInput);
    }
  }

  /** Adds notes without duplicates. */
  #addNotes(notes: readonly OutputNote[]): void {
    this.notes.push(...notes.filter(({ message }) => this.notes.every((note) => note.message !== message)));
  }

  /** Ends a member whose files have all been read. */
  #endMember({ member, playedSeconds, missing, isOver }: MemberProgress): void {
    const { jobInput, sinks } = member;
    try {
      if (member.parts.length > 1 && !isOver)
        verifyExpectedDuration(
          { name: `Input ${jobInput + 1}`, hasStatedSize: false },
          playedSeconds,
          totalDeclaredDuration(member),
        );
      this.#addNotes(missing.notes());
      for (const sink of sinks.values()) sink.end();
    } catch (error) {
      throw withInput(error, jobInput);
    }
  }
}

function namedStream({ name, streams, sources }: MediaInput, index: number): NamedStream {
  const [stream, source] = [streams[index], sources[index]];
  if (stream === undefined || source === undefined) throw new Error(`${name} has no stream ${index}`);
  return { stream, label: `The ${source.codec} ${source.kind} of ${name.toLowerCase()}` };
}

/**
 * Checks that a file is complete. Returns its duration in seconds, including the seconds by which its playlist
 * overstates it.
 */
function verifyPart({
  input,
  clock,
  readStreams,
  endCode,
  segments,
  cutter,
  isSeeked,
  isCutShort,
}: PartReader): number {
  if (endCode === undefined) throw new Error(`${input.name} was not read to its end`);
  if (isCutShort === true) return 0;
  try {
    if (input.completeness === 'growing') refuseTruncated(input, input.name);
    const extents = input.streams.map(({ index }) => {
      const extent = clock.extent(index);
      const start = input.starts[index];
      return isSeeked && extent !== undefined && start !== undefined
        ? { first: Math.min(extent.first, start + clock.origin), end: extent.end }
        : extent;
    });
    if (cutter !== undefined && input.excerptStart !== undefined && segments === undefined) {
      cutter.verifyExcerpt(input, Math.max(...extents.map((extent) => extent?.end ?? Number.NEGATIVE_INFINITY)));
      return verifyComplete({
        input: { ...input, expectedDuration: undefined },
        endCode,
        extents,
        origin: clock.origin,
        readStreams,
      });
    }
    const overstatedSeconds = segments?.verify() ?? 0;
    return (
      overstatedSeconds +
      verifyComplete({ input, endCode, extents, origin: clock.origin, readStreams, overstatedSeconds })
    );
  } catch (error) {
    throw withInput(error, input.jobInput);
  }
}
