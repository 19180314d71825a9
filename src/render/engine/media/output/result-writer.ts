import { appendFileSync, statSync } from 'node:fs';
import {
  AV_DISPOSITION_DEFAULT,
  AV_NOPTS_VALUE,
  AVFMT_GLOBALHEADER,
  AVIO_FLAG_WRITE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  type AVMediaType,
} from 'node-av/constants';
import {
  avGetCodecName,
  Dictionary,
  FormatContext,
  IOContext,
  type IRational,
  type Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { AdditionWriter } from '../../additions/addition-writer.ts';
import { additionWriters } from '../../additions/addition-writers.ts';
import { resultTooLargeError } from '../../errors/limit-errors.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import { hasMoreThanCode } from '../../languages/language-code.ts';
import { disableSubtitleTracks } from '../../mp4/disable-subtitle-tracks.ts';
import { limitEdits } from '../../mp4/limit-edits.ts';
import { CueTally } from '../../subtitles/cue-tally.ts';
import type { Additions, LanguageTags } from '../../tasks/additions.ts';
import { CueCounter, type CueStats } from '../../timing/cue-stats.ts';
import { FileStats, type StreamStats } from '../../timing/stream-stats.ts';
import type { LibraryLog } from '../library-log.ts';
import { ticksToSeconds } from '../timestamps.ts';
import { type CueOutput, createCueOutput, createTimedTextOutput, isTimedText, timedTextBase } from './cue-output.ts';

/** Number of packets between two checks of the result's size. */
const packetsPerSizeCheck = 64;

/** Thrown when the muxer refuses to write a file. */
export class WriteError extends MillraceError {}

/** A stream of the result while it is written. */
export interface OutputStream {
  readonly stream: Stream;
  /** Writes a packet, whose timestamps are in `base`. Takes over its contents. */
  write(packet: Packet, base: IRational): void;
  /** Returns the name of its codec. */
  codec(): string;
  /** Returns the timing of its packets on the result's clock; undefined without packets. */
  stats(): StreamStats | undefined;
  /** Statistics about its cues, if it is a subtitle stream. */
  readonly cues: CueTally;
  /** Its language tag, if the job states it. */
  languageTag?: string;
  /**
   * Returns the start times of the cue packets that the muxer received; undefined for other streams and without such
   * packets.
   */
  muxedCues(): CueStats | undefined;
}

/** Writes the result. The call order is: add streams, {@link begin}, write packets, {@link finish}. */
export class Writer {
  /** Whether encoders must put their headers beside the stream, not into it. */
  readonly globalHeader: boolean;
  readonly #context = new FormatContext();
  readonly #io = new IOContext();
  readonly #container: ContainerFormat;
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #libraryLog: LibraryLog;
  readonly #contents: string;
  readonly #outputs: OutputStream[] = [];
  readonly #cues: CueOutput[] = [];
  #additions: Additions = { tags: {}, chapters: [] };
  #packets = 0;
  /** Time from which players hide what was written, in seconds. */
  #hiddenFrom: number | undefined;
  /**
   * Result code of a failed write. {@link check} reports it, because FFmpeg's log arrives only with the next turn of
   * the event loop.
   */
  #failureCode = 0;

  /** @param contents - description of the result's streams for messages. */
  constructor(
    container: ContainerFormat,
    path: string,
    maxBytes: number,
    libraryLog: LibraryLog,
    contents = 'its streams',
  ) {
    this.#contents = contents;
    this.#container = container;
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#libraryLog = libraryLog;
    this.#context.allocOutputContext2(null, container.muxer, path);
    this.globalHeader = (Number(this.#context.oformat?.flags) & AVFMT_GLOBALHEADER) !== 0;
  }

  /** Adds a stream, which the caller then describes. */
  addStream(): OutputStream {
    const stream = this.#context.newStream(null);
    const { index } = stream;
    // Muxers choose their own time base in begin(). Each call into the library costs as much as writing a packet.
    let to: IRational | undefined;
    let same = false;
    let lastDts: bigint | undefined;
    const stats = new FileStats({ continuous: [true], mayJump: false });
    const samples = new CueCounter();
    /** Whether cues go to the muxer immediately, so that no other packet comes between two adjoining cues. */
    let cuesFirst = false;
    let cues: CueOutput | undefined;
    const send = (packet: Packet, base: IRational, subtitle: boolean) => {
      packet.streamIndex = index;
      const { dts, pts } = fixTimestamps(packet, lastDts, subtitle ? 0n : 1n);
      if (dts !== AV_NOPTS_VALUE) lastDts = dts;
      const [dtsSeconds, ptsSeconds] = [ticksToSeconds(dts, base), ticksToSeconds(pts, base)];
      stats.add(0, dtsSeconds, ptsSeconds, Number(packet.duration) * (base.num / base.den));
      if (subtitle) samples.add(ptsSeconds ?? 0);
      else if (dtsSeconds !== undefined) for (const each of this.#cues) each.advanceTo(dtsSeconds);
      this.#send(packet, cuesFirst);
    };
    const output: OutputStream = {
      stream,
      codec: () => avGetCodecName(stream.codecpar.codecId) ?? 'unknown',
      stats: () => stats.all()[0],
      cues: new CueTally(),
      muxedCues: () => samples.stats(),
      write: (packet, base) => {
        if (to === undefined) {
          to = { num: stream.timeBase.num, den: stream.timeBase.den };
          same = to.num === base.num && to.den === base.den;
          cues = this.#cueOutput(output, to, send);
          cuesFirst = isTimedText(stream);
        }
        if (!same) packet.rescaleTs(base, to);
        if (cues === undefined) send(packet, to, false);
        else cues.push(packet);
      },
    };
    this.#outputs.push(output);
    return output;
  }

  /** Returns the cue output between a subtitle stream and the muxer. */
  #cueOutput(
    { stream, cues }: OutputStream,
    base: IRational,
    send: (packet: Packet, base: IRational, subtitle: boolean) => void,
  ): CueOutput | undefined {
    if (stream.codecpar.codecType !== AVMEDIA_TYPE_SUBTITLE) return undefined;
    const take = (packet: Packet) => send(packet, base, true);
    const output = isTimedText(stream) ? createTimedTextOutput(cues, take) : createCueOutput(cues, base, take);
    this.#cues.push(output);
    return output;
  }

  /** Sets what players display about the whole file, as far as the container supports it. */
  setAdditions(additions: Additions): void {
    this.#additions = additions;
    const metadata = this.#additionWriter?.metadata?.(additions) ?? {};
    if (Object.keys(metadata).length === 0) return;
    this.#context.metadata = Dictionary.fromObject({ ...metadata });
    if (!this.#container.tagsEachStream) return;
    for (const stream of this.#context.streams) {
      const ownTags = Object.entries(stream.metadata?.getAll() ?? {}).filter(([name]) => {
        return !Object.hasOwn(additions.tags, name);
      });
      stream.metadata = Dictionary.fromObject({ ...Object.fromEntries(ownTags), ...metadata });
    }
  }

  /**
   * Sets where the result begins on the clock of its chapters, in seconds, and where players stop: a clip begins at a key
   * frame before 0, or hides what precedes 0 and what follows `end`.
   */
  beginAt(start: number, end?: number): void {
    const chapters = this.#additions.chapters.map((chapter) => {
      return { ...chapter, start: chapter.start <= 0 ? 0 : chapter.start - start };
    });
    this.#additions = { ...this.#additions, chapters };
    this.#hiddenFrom = end;
  }

  /** Creates the file and writes its header. */
  async begin(): Promise<void> {
    const openResult = this.#io.open2Sync(`file:${this.#path}`, AVIO_FLAG_WRITE);
    if (openResult < 0) throw await this.#createError('The result cannot be created', openResult);
    this.#context.pb = this.#io;
    for (const { stream } of this.#outputs) {
      if (isTimedText(stream)) stream.timeBase = new Rational(timedTextBase.num, timedTextBase.den);
    }
    const options = { ...this.#container.muxerOptions, ...this.#additionWriter?.muxerOptions?.(this.#additions) };
    const headerResult = this.#context.writeHeaderSync(Dictionary.fromObject(options));
    if (headerResult < 0)
      throw await this.#createError(
        `The ${this.#container.title} file with ${this.#contents} could not be started`,
        headerResult,
      );
  }

  /** Closes a file that could not be written. */
  abandon(): void {
    this.#context.pb = null;
    this.#io.closepSync();
  }

  /** Whether {@link check} would throw. */
  get failed(): boolean {
    return this.#failureCode < 0;
  }

  /**
   * Throws the reason if writing has failed.
   *
   * @throws MillraceError `processing_failed`, or `storage_failed` for a full disk.
   */
  async check(): Promise<void> {
    if (this.#failureCode < 0) throw await this.#createError('The result cannot be written', this.#failureCode);
  }

  /** Writes the held cues once there are no more packets. Afterwards the statistics of all cues are final. */
  endCues(): void {
    for (const cues of this.#cues) cues.end();
  }

  /**
   * Writes the remaining data and closes the file.
   *
   * @returns Size of the file in bytes, and its number of chapters.
   */
  async finish(): Promise<{ readonly bytes: number; readonly chapters: number }> {
    this.endCues();
    await this.check();
    const trailerResult = this.#context.writeTrailerSync();
    if (trailerResult < 0) throw await this.#createError('The result cannot be completed', trailerResult);
    const [subtitles, languageTags] = [this.#enabledSubtitles(), this.#languageTags()];
    // The library frees what it owns. The file must be detached from the context first, or the file is closed twice.
    this.#context.pb = null;
    const closeResult = this.#io.closepSync();
    if (closeResult < 0) throw await this.#createError('The result cannot be closed', closeResult);
    this.#context.freeContext();
    const chapters = this.#writeAdditions(languageTags);
    if (this.#hiddenFrom !== undefined) limitEdits(this.#path, this.#hiddenFrom);
    if (subtitles.includes(false)) disableSubtitleTracks(this.#path, subtitles);
    const padding = this.#container.paddingFor?.(statSync(this.#path).size);
    if (padding !== undefined && padding.length > 0) appendFileSync(this.#path, padding);
    const { size } = statSync(this.#path);
    if (size > this.#maxBytes) throw resultTooLargeError(this.#maxBytes);
    return { bytes: size, chapters };
  }

  /** The container's addition writer; undefined without additions. */
  get #additionWriter(): AdditionWriter | undefined {
    const { additions: name } = this.#container;
    const { tags, chapters, cover } = this.#additions;
    const hasNone = Object.keys(tags).length === 0 && chapters.length === 0 && cover === undefined;
    const isEmpty = hasNone && !((name === 'mp4' || name === 'matroska') && this.#outputs.some(hasLongTag));
    return name === undefined || isEmpty ? undefined : additionWriters[name];
  }

  /** Returns for each subtitle stream whether players enable it by default, in MP4 and QuickTime files. */
  #enabledSubtitles(): boolean[] {
    const { muxer } = this.#container;
    if (muxer !== 'mp4' && muxer !== 'mov') return [];
    return this.#written(AVMEDIA_TYPE_SUBTITLE).map(({ stream }) => stream.hasDisposition(AV_DISPOSITION_DEFAULT));
  }

  /** Returns the language tags that say more than the codes that the muxer has written. */
  #languageTags(): LanguageTags {
    const tagOf = (output: OutputStream) => (hasLongTag(output) ? output.languageTag : undefined);
    return {
      audio: this.#written(AVMEDIA_TYPE_AUDIO).map(tagOf),
      subtitle: this.#written(AVMEDIA_TYPE_SUBTITLE).map(tagOf),
    };
  }

  /** Returns the streams of a type that are in the file. */
  #written(type: AVMediaType): readonly OutputStream[] {
    const { dropsEmptyStreams } = this.#container;
    return this.#outputs.filter(({ stream, stats }) => {
      const isDropped = dropsEmptyStreams === true && stats() === undefined && !isTimedText(stream);
      return stream.codecpar.codecType === type && !isDropped;
    });
  }

  /** Returns the number of chapters in the result. */
  #writeAdditions(languageTags: LanguageTags): number {
    const writtenEnd = Math.max(0, ...this.#outputs.map((output) => output.stats()?.end ?? 0));
    const end = Math.min(writtenEnd, this.#hiddenFrom ?? writtenEnd);
    return this.#additionWriter?.write(this.#path, { ...this.#additions, languageTags }, end) ?? 0;
  }

  /** @param now - whether the muxer receives it before the packets that wait to be interleaved. */
  #send(packet: Packet, now: boolean): void {
    if (this.#failureCode < 0) return;
    this.#packets += 1;
    if (this.#packets % packetsPerSizeCheck === 0 && this.#context.pbBytes > this.#maxBytes)
      throw resultTooLargeError(this.#maxBytes);
    const result = now ? this.#context.writeFrameSync(packet) : this.#context.interleavedWriteFrameSync(packet);
    if (result < 0) this.#failureCode = result;
  }

  async #createError(what: string, result: number): Promise<MillraceError> {
    const remedy = 'Start the job again; if it fails again, set copyStreams to false or choose another output.ext.';
    const failure = await this.#libraryLog.createError('processing_failed', what, result, remedy);
    const { code, message, reason } = failure;
    // Without a reason from FFmpeg, the machine caused the failure, not the muxer.
    return reason === undefined ? failure : new WriteError(code, message, { reason });
  }
}

/** Whether the language tag of a stream says more than the code that every muxer writes. */
function hasLongTag({ languageTag }: OutputStream): boolean {
  return languageTag !== undefined && hasMoreThanCode(languageTag);
}

/**
 * Corrects timestamps that muxers refuse: decoding timestamps that do not increase (for subtitles, only those that
 * decrease), and frames displayed before they are decoded. Bad files have both.
 *
 * @returns The packet's timestamps, so that the caller need not read them from the library again.
 */
function fixTimestamps(
  packet: Packet,
  lastDts: bigint | undefined,
  step: bigint,
): { readonly dts: bigint; readonly pts: bigint } {
  const { pts, dts } = packet;
  if (dts === AV_NOPTS_VALUE) return { dts, pts };
  const minDts = lastDts === undefined ? dts : lastDts + step;
  let fixedDts = dts;
  if (pts !== AV_NOPTS_VALUE && dts > pts) {
    // The median of the three candidates, as the ffmpeg program guesses it.
    const [low, high] = pts < minDts ? [pts, minDts] : [minDts, pts];
    fixedDts = dts < low ? low : dts > high ? high : dts;
  }
  if (fixedDts < minDts) fixedDts = minDts;
  if (fixedDts !== dts) packet.dts = fixedDts;
  if (pts === AV_NOPTS_VALUE || pts >= fixedDts) return { dts: fixedDts, pts };
  packet.pts = fixedDts;
  return { dts: fixedDts, pts: fixedDts };
}
