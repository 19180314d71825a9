import type { Clip } from '../../../../contract/clip.ts';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import { type ContainerFormat, hasEditLists } from '../../formats/container-formats.ts';
import { declareFlacSamples } from '../../formats/flac-renumber.ts';
import { hasNalUnits } from '../../formats/nal-units.ts';
import type { StreamSummary } from '../../tasks/report.ts';
import {
  type ClipReport,
  clipNotes,
  clipOutOfRange,
  clipWithoutKeyFrame,
  emptyStreamNote,
  lateVideoNote,
  refuseShortExcerpt,
} from '../../timing/clip-rules.ts';
import type { Track } from '../../track-plan/track.ts';
import { findStream, streamName } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import type { ClipWindow } from '../output/clip-window.ts';
import type { Sink } from '../sink.ts';
import { addParameterSets } from './add-parameter-sets.ts';
import { type FlacRenumbering, renumberFlac } from './renumber-flac.ts';
import { type ClipBounds, type CutStream, StreamCut } from './stream-cut.ts';

/**
 * Seconds that are read beyond the end of a clip if a stream has no packet there: a slide that is displayed in the clip
 * only counts if another one follows.
 */
const maxInterleaving = 60;

/** Thrown when tracks do not play in a clip. Most containers would keep them without a packet. */
export class EmptyTracks extends Error {
  override readonly name = 'EmptyTracks';
  readonly tracks: ReadonlySet<Track>;
  /** Notes about these tracks. */
  readonly notes: readonly OutputNote[];

  constructor(tracks: ReadonlySet<Track>, notes: readonly OutputNote[]) {
    super('some tracks do not play in the clip');
    this.tracks = tracks;
    this.notes = notes;
  }
}

/** Cuts the streams of a result to a clip, all at the same time. */
export class ClipCutter {
  /** What decoded streams keep, on the clock of the result. */
  readonly window: ClipWindow;
  /** Whether the container hides what precedes the start. */
  readonly hidesLead: boolean;
  readonly #muxer: string;
  #flac: FlacRenumbering | undefined;
  readonly #clip: Clip;
  readonly #bounds: ClipBounds;
  readonly #cuts: { readonly cut: StreamCut; readonly input: number; readonly track: Track }[] = [];

  /** @param fillsAudio - whether silence fills decoded audio that ends before the clip. */
  constructor(clip: Clip, container: ContainerFormat, fillsAudio = false) {
    const end = clip.end === undefined ? Number.POSITIVE_INFINITY : clip.end - clip.start;
    this.#clip = clip;
    this.#muxer = container.muxer;
    this.hidesLead = hasEditLists(container);
    this.window = { end, fillsAudio };
    this.#bounds = {
      mediaStart: clip.start,
      end,
      begin: undefined,
      earliestBegin: () => this.#earliestBegin(),
      settle: (mustDecide) => this.#settle(mustDecide),
    };
  }

  /** Returns the cuts of the streams of a result, in front of their sinks, by input and stream. */
  cutAll(
    tracks: readonly Track[],
    inputs: readonly MediaInput[],
    sinks: readonly ReadonlyMap<number, Sink>[],
  ): readonly ReadonlyMap<number, Sink>[] {
    const cutSinks = sinks.map((map) => new Map(map));
    for (const track of tracks) {
      const { action, sources } = track;
      for (const source of sources) {
        const sink = sinks[source.input]?.get(source.index);
        // Covers and attached files have no time.
        if (sink === undefined || source.cover || source.kind === 'attachment') continue;
        const { kind, codec } = source;
        const traits = {
          kind: kind === 'video' || kind === 'audio' ? kind : ('other' as const),
          codec,
          isDecoded: action !== 'copy' && (kind === 'video' || kind === 'audio'),
          hidesLead: this.hidesLead,
          stream: { stream: findStream(source, inputs), label: streamName(source, inputs) },
        };
        const cut = new StreamCut(action === 'copy' ? this.#adapt(sink, traits) : sink, traits, this.#bounds);
        this.#cuts.push({ cut, input: source.jobInput, track });
        cutSinks[source.input]?.set(source.index, cut);
      }
    }
    this.#settle();
    return cutSinks;
  }

  /**
   * Describes the clip once everything is read.
   *
   * @throws MillraceError `clip_out_of_range`, or `source_unsupported` if nothing in it can be decoded.
   * @throws EmptyTracks if some tracks do not play in the clip.
   */
  report(): ClipReport {
    const media = this.#media();
    const ends = media.map(({ cut }) => cut.mediaEnd).filter(Number.isFinite);
    const mediaEnd = Math.max(0, this.#clip.start + Math.max(Number.NEGATIVE_INFINITY, ...ends));
    if (media.every(({ cut }) => cut.isEmpty)) {
      throw media.some(({ cut }) => cut.lostSeconds > 0)
        ? clipWithoutKeyFrame(this.#clip)
        : clipOutOfRange(this.#clip, mediaEnd);
    }
    const playing = new Set(media.flatMap(({ cut, track }) => (cut.isEmpty ? [] : [track])));
    const empty = media.filter(({ track }) => !playing.has(track));
    if (empty.length > 0) {
      const notes = empty.map(({ cut, input }) => emptyStreamNote(cut.kind, input));
      throw new EmptyTracks(new Set(empty.map(({ track }) => track)), notes);
    }
    return { start: Math.max(0, this.#clip.start + this.begin), mediaEnd };
  }

  /** Where the result begins, in seconds from the start of the clip: at or before 0. */
  get begin(): number {
    return this.hidesLead ? 0 : (this.#bounds.begin ?? 0);
  }

  /** Returns the notes about the bounds of the clip and about streams without a packet in it. */
  notes(report: ClipReport): OutputNote[] {
    const media = this.#media();
    const empty = media.filter(({ cut }) => cut.isEmpty);
    const late = media.filter(({ cut }) => !cut.isEmpty && cut.lostSeconds > 0);
    return [
      ...clipNotes(this.#clip, report),
      ...late.map(({ cut, input }) => lateVideoNote(cut.lostSeconds, input)),
      ...empty.map(({ cut, input }) => emptyStreamNote(cut.kind, input)),
    ];
  }

  #media() {
    return this.#cuts.filter(({ cut }) => cut.kind !== 'other');
  }

  /**
   * Returns whether nothing more is needed from a file: the clip has ended in all its streams, or long ago in some.
   *
   * @param sinks - the sinks of the streams of the file.
   * @param position - the time that was read, in seconds from the start of the clip.
   */
  isPast(sinks: Iterable<Sink>, position: number): boolean {
    let hasMedia = false;
    let isDone = true;
    for (const sink of sinks) {
      if (!(sink instanceof StreamCut) || sink.kind === 'other') continue;
      hasMedia = true;
      isDone &&= sink.isDone;
    }
    return (hasMedia && isDone) || position > this.#bounds.end + maxInterleaving;
  }

  /**
   * Verifies that an excerpt was read to the end of the clip or of its source.
   *
   * @param end - end of the excerpt, in seconds from the start of the clip.
   * @throws MillraceError `input_incomplete`.
   */
  verifyExcerpt({ name, expectedDuration }: MediaInput, end: number): void {
    refuseShortExcerpt(name, this.#clip.start + end, expectedDuration, this.#clip);
  }

  /**
   * Returns where streams of an input of the job end, as far as they were read, in seconds from the start of the media.
   */
  endOf(kind: 'video' | 'audio', jobInput: number): number {
    const ends = this.#cuts.filter(({ cut, input }) => cut.kind === kind && input === jobInput);
    return Math.max(0, ...ends.map(({ cut }) => this.#clip.start + cut.mediaEnd));
  }

  /** Returns the duration of the clip in media of the given duration, in seconds; 0 if unknown. */
  lengthIn(duration: number): number {
    const { end } = this.#bounds;
    return Number.isFinite(end) ? end : Math.max(0, duration - this.#clip.start);
  }

  /** Returns how long a result plays, in seconds: without what its container hides. */
  playedSeconds(streams: readonly StreamSummary[]): number {
    const end = Math.max(0, ...streams.map(({ stats }) => stats?.end ?? 0));
    return this.hidesLead ? Math.min(end, this.window.end) : end;
  }

  /**
   * Completes the headers of a finished result that were copied from its source.
   *
   * @param path - the file.
   */
  finish(path: string): void {
    if (this.#flac !== undefined) declareFlacSamples(path, this.#flac.samples);
  }

  /** Returns a sink that changes what is copied if the container records something only at the beginning of a stream. */
  #adapt(sink: Sink, { codec, stream }: CutStream): Sink {
    if (this.#muxer === 'mpegts' && hasNalUnits(codec)) return addParameterSets(sink, codec, stream.stream);
    if (this.#muxer !== 'flac' || codec !== 'flac') return sink;
    this.#flac = renumberFlac(sink);
    return this.#flac;
  }

  /** Returns the streams that decide where the result begins: video, which can only begin at key frames, or else audio. */
  #decisiveCuts(): readonly StreamCut[] {
    const deciding = this.#cuts.map(({ cut }) => cut).filter((cut) => cut.decidesStart);
    const videos = deciding.filter(({ kind }) => kind === 'video');
    return videos.length > 0 ? videos : deciding;
  }

  #earliestBegin(): number {
    const { begin } = this.#bounds;
    if (begin !== undefined) return begin;
    const videos = this.#decisiveCuts().filter(({ kind }) => kind === 'video');
    return Math.min(0, ...videos.map((cut) => cut.begin ?? (cut.hasEnded ? 0 : Number.NEGATIVE_INFINITY)));
  }

  /** Determines where the result begins, once all streams that decide it have reached the start, and opens all. */
  #settle(mustDecide = false): void {
    const bounds = this.#bounds;
    if (bounds.begin === undefined) {
      const decisive = this.#decisiveCuts();
      if (!mustDecide && decisive.some((cut) => !cut.hasReachedStart && !cut.hasEnded)) return;
      bounds.begin = Math.min(0, ...decisive.flatMap((cut) => cut.begin ?? []));
      this.window.end = bounds.end - this.begin;
    }
    for (const { cut } of this.#cuts) if (cut.hasReachedStart || cut.hasEnded || cut.kind === 'other') cut.open();
  }
}
