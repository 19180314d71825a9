import { appendFileSync, statSync } from 'node:fs';
import {
  AV_DISPOSITION_DEFAULT,
  AV_NOPTS_VALUE,
  AVFMT_GLOBALHEADER,
  AVIO_FLAG_WRITE,
  AVMEDIA_TYPE_SUBTITLE,
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
import { type Chapter, placeChapters } from '../../chapters/chapter.ts';
import type { ChapterWriter } from '../../chapters/chapter-writer.ts';
import { chapterWriters } from '../../chapters/chapter-writers.ts';
import { resultTooLargeError } from '../../errors/limit-errors.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import { disableSubtitleTracks } from '../../mp4/disable-subtitle-tracks.ts';
import { CueTally } from '../../subtitles/cue-tally.ts';
import { CueCounter, type CueStats } from '../../timing/cue-stats.ts';
import { FileStats, type StreamStats } from '../../timing/stream-stats.ts';
import type { LibraryLog } from '../library-log.ts';
import { ticksToSeconds } from '../timestamps.ts';
import { type CueOutput, createCueOutput, createTimedTextOutput, isTimedText, timedTextBase } from './cue-output.ts';

/** Packets between two looks at how large the result has become. */
const packetsPerSizeCheck = 64;

/** The muxer refused to write a file. */
export class WriteError extends MillraceError {}

/** One stream of the result, while it is written. */
export interface OutputStream {
  readonly stream: Stream;
  /** Writes a packet, whose timestamps are in `base`. Takes its contents. */
  write(packet: Packet, base: IRational): void;
  /** Name of its codec. */
  codec(): string;
  /** Timing of its packets on the result's clock; absent without packets. */
  stats(): StreamStats | undefined;
  /** What became of its cues, if it has subtitles. */
  readonly cues: CueTally;
  /** Starts of the packets with cues that the muxer was given; absent for other streams, and without such packets. */
  muxedCues(): CueStats | undefined;
}

/** Writes the result. Streams are added first, then {@link begin}, packets, {@link finish}. */
export class Writer {
  /** Whether encoders have to put their headers beside the stream instead of into it. */
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
  #chapters: readonly Chapter[] = [];
  #packets = 0;
  /** What a function returned that could not write; told by {@link check}, since words take a turn to arrive. */
  #failureCode = 0;

  /** @param contents - the streams of the result, as messages name them. */
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

  /** Adds a stream, which its caller then describes. */
  addStream(): OutputStream {
    const stream = this.#context.newStream(null);
    const { index } = stream;
    // Muxers choose their own time base in begin(). Each question to the library costs as much as writing a packet.
    let to: IRational | undefined;
    let same = false;
    let lastDts: bigint | undefined;
    const stats = new FileStats({ continuous: [true], mayJump: false });
    const samples = new CueCounter();
    /** Whether cues go to the muxer at once: one that touches the next must have no other packet in between. */
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

  /** For subtitles, what stands between the cues and the muxer. */
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

  /** Sets what players show about the whole file: words, and chapters if the container takes any. */
  setMetadata(tags: Readonly<Record<string, string>>, chapters: readonly Chapter[] = []): void {
    this.#chapters = chapters;
    const metadata = { ...tags, ...this.#chapterWriter?.metadata?.(chapters) };
    if (Object.keys(metadata).length === 0) return;
    this.#context.metadata = Dictionary.fromObject({ ...metadata });
    if (!this.#container.tagsEachStream) return;
    for (const stream of this.#context.streams) {
      stream.metadata = Dictionary.fromObject({ ...stream.metadata?.getAll(), ...metadata });
    }
  }

  /** Creates the file and writes its head. */
  async begin(): Promise<void> {
    const openResult = this.#io.open2Sync(`file:${this.#path}`, AVIO_FLAG_WRITE);
    if (openResult < 0) throw await this.#createError('The result cannot be created', openResult);
    this.#context.pb = this.#io;
    for (const { stream } of this.#outputs) {
      if (isTimedText(stream)) stream.timeBase = new Rational(timedTextBase.num, timedTextBase.den);
    }
    const options = { ...this.#container.muxerOptions, ...this.#chapterWriter?.muxerOptions?.(this.#chapters) };
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

  /** Whether {@link check} has something to say. */
  get failed(): boolean {
    return this.#failureCode < 0;
  }

  /**
   * Says why writing failed, when it did.
   *
   * @throws MillraceError `processing_failed`, or `storage_failed` for a full disk.
   */
  async check(): Promise<void> {
    if (this.#failureCode < 0) throw await this.#createError('The result cannot be written', this.#failureCode);
  }

  /** Writes the cues that are held: there are no more packets. What became of all cues is known then. */
  endCues(): void {
    for (const cues of this.#cues) cues.end();
  }

  /**
   * Writes what is left and closes the file.
   *
   * @returns Bytes of the file, and how many chapters it has.
   */
  async finish(): Promise<{ readonly bytes: number; readonly chapters: number }> {
    this.endCues();
    await this.check();
    const trailerResult = this.#context.writeTrailerSync();
    if (trailerResult < 0) throw await this.#createError('The result cannot be completed', trailerResult);
    const subtitles = this.#enabledSubtitles();
    // The library frees what it owns; the file has to be taken from it first, or it is closed twice.
    this.#context.pb = null;
    const closeResult = this.#io.closepSync();
    if (closeResult < 0) throw await this.#createError('The result cannot be closed', closeResult);
    this.#context.freeContext();
    const chapters = this.#writeChapters();
    if (subtitles.includes(false)) disableSubtitleTracks(this.#path, subtitles);
    const padding = this.#container.paddingFor?.(statSync(this.#path).size);
    if (padding !== undefined && padding.length > 0) appendFileSync(this.#path, padding);
    const { size } = statSync(this.#path);
    if (size > this.#maxBytes) throw resultTooLargeError(this.#maxBytes);
    return { bytes: size, chapters };
  }

  /** What the container does with the chapters; nothing when there are none. */
  get #chapterWriter(): ChapterWriter | undefined {
    const { chapters: name } = this.#container;
    return name === undefined || this.#chapters.length === 0 ? undefined : chapterWriters[name];
  }

  /** Whether players are to show each subtitle stream by themselves, in MP4 and QuickTime files. */
  #enabledSubtitles(): boolean[] {
    const { muxer, dropsEmptyStreams } = this.#container;
    if (muxer !== 'mp4' && muxer !== 'mov') return [];
    return this.#outputs.flatMap(({ stream, stats }) => {
      const isDropped = dropsEmptyStreams === true && stats() === undefined && !isTimedText(stream);
      if (stream.codecpar.codecType !== AVMEDIA_TYPE_SUBTITLE || isDropped) return [];
      return [stream.hasDisposition(AV_DISPOSITION_DEFAULT)];
    });
  }

  #writeChapters(): number {
    const chapterWriter = this.#chapterWriter;
    if (chapterWriter?.write === undefined) return chapterWriter === undefined ? 0 : this.#chapters.length;
    const end = Math.max(0, ...this.#outputs.map((output) => output.stats()?.end ?? 0));
    const chapters = placeChapters(this.#chapters, 0, end);
    if (chapters.length > 0) chapterWriter.write(this.#path, chapters, end);
    return chapters.length;
  }

  /** @param now - whether the muxer is to take it before the packets that wait to be interleaved. */
  #send(packet: Packet, now: boolean): void {
    if (this.#failureCode < 0) return;
    this.#packets += 1;
    if (this.#packets % packetsPerSizeCheck === 0 && this.#context.pbBytes > this.#maxBytes)
      throw resultTooLargeError(this.#maxBytes);
    const result = now ? this.#context.writeFrameSync(packet) : this.#context.interleavedWriteFrameSync(packet);
    if (result < 0) this.#failureCode = result;
  }

  async #createError(what: string, result: number): Promise<MillraceError> {
    const remedy = 'Start the job again; if it fails again, set copyStreams false or choose another output.ext.';
    const failure = await this.#libraryLog.createError('processing_failed', what, result, remedy);
    const { code, message, reason } = failure;
    // Without a reason in FFmpeg's words, the machine is at fault, and not the muxer.
    return reason === undefined ? failure : new WriteError(code, message, { reason });
  }
}

/**
 * Muxers refuse decoding times that do not rise (of subtitles, only those that fall), and frames shown before they are
 * decoded; bad files have both.
 *
 * @returns The packet's timestamps. Each read of one crosses into the library.
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
    // The middle of the three candidates, as the ffmpeg program guesses it.
    const [low, high] = pts < minDts ? [pts, minDts] : [minDts, pts];
    fixedDts = dts < low ? low : dts > high ? high : dts;
  }
  if (fixedDts < minDts) fixedDts = minDts;
  if (fixedDts !== dts) packet.dts = fixedDts;
  if (pts === AV_NOPTS_VALUE || pts >= fixedDts) return { dts: fixedDts, pts };
  packet.pts = fixedDts;
  return { dts: fixedDts, pts: fixedDts };
}
