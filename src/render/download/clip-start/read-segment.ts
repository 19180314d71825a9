import type { InitializationSection, Segment } from '../../../hls/media-playlist.ts';
import { createDecryptingWriter } from '../decrypting-writer.ts';
import { fetchPart } from '../fetch-part.ts';
import type { ByteWriter } from '../file-writer.ts';
import { createHeldMemory, type HeldMemory } from '../held-memory.ts';
import type { KeyStore } from '../segment-keys.ts';
import type { RangeRequest, Source } from '../source-request.ts';

/** Maximum number of bytes of a segment that are kept: ten seconds at 50 Mbit/s. */
const maxSegmentBytes = 64 * 1024 * 1024;
/** Number of bytes that usually contain the beginning of the first frame. */
const headBytes = 128 * 1024;
/** Maximum number of bytes of an initialization section that are kept: most have 1 kB. */
const maxSectionBytes = 128 * 1024;

const noBytes = Buffer.alloc(0);

/** The bytes of a segment, after those of its initialization section. */
export interface SegmentBytes {
  readonly bytes: Buffer;
  /** Whether they are all there. */
  readonly isWhole: boolean;
}

/** Reads segments into memory. */
export interface SegmentReader {
  /** Reads the beginning of a segment. An encrypted one is read whole. */
  readHead(segment: Segment): Promise<SegmentBytes>;
  /** Reads a segment, up to the limit, and as far as the memory allows. */
  read(segment: Segment): Promise<SegmentBytes>;
}

/** A reader that keeps the last segment, because they are read one after the other. */
interface OpenSegmentReader extends SegmentReader {
  /** Gives back the memory of the last segment. */
  close(): void;
}

/** Parameters of a reader. */
interface ReaderOptions {
  readonly keys: KeyStore;
  /** Returns the source of the resource at a URL of the playlist; `name` is for messages. */
  readonly sourceFor: (url: string, name: string) => Source;
  /** Returns how messages name a segment. */
  readonly nameOf: (segment: Segment) => string;
  /** Called with the number of bytes that have arrived; throws if there are too many. */
  readonly onBytes: (bytes: number) => void;
  /** What the bytes of a segment are taken from. */
  readonly memory: HeldMemory;
  /** Maximum number of bytes of a segment that are kept. Default: 64 MiB. */
  readonly maxBytes?: number;
}

/** A part of a segment to fetch: itself, or its initialization section. */
type Resource = Pick<Segment, 'url' | 'byteRange' | 'keys'> & { readonly name: string };

/**
 * Creates a reader of the segments of one playlist.
 *
 * Its functions throw MillraceError as in `fetch-part.ts` and `segment-keys.ts`.
 */
export function createSegmentReader({
  keys,
  sourceFor,
  nameOf,
  onBytes,
  memory,
  maxBytes = maxSegmentBytes,
}: ReaderOptions): OpenSegmentReader {
  const held = createHeldMemory(Number.POSITIVE_INFINITY, memory);
  const sections = new Map<InitializationSection, Promise<SegmentBytes>>();
  let received = 0;

  async function fetch(
    { url, byteRange, keys: segmentKeys, name }: Resource,
    sequence: number,
    limit: number,
    section: Buffer = noBytes,
  ): Promise<SegmentBytes> {
    const source = sourceFor(url, name);
    const cipher = await keys.cipherFor(segmentKeys, sequence, sourceFor);
    const { from, length } = { from: byteRange?.offset ?? 0, length: byteRange?.length };
    // The end of an encrypted resource shows whether it was decrypted.
    const kept = cipher === undefined ? Math.min(limit, length ?? limit) : maxBytes;
    const count = cipher === undefined ? kept : length;
    held.give();
    const collected = collect(cipher === undefined ? from : 0, kept, section, held);
    const writer =
      cipher === undefined ? collected.writer : createDecryptingWriter(collected.writer, cipher, from, name);
    const end = count === undefined ? {} : { to: from + count - 1 };
    const part: RangeRequest = byteRange === undefined ? { from, ...end, initial: true } : { from, ...end };
    let position = from;
    await fetchPart(source, part, writer, {
      onHead: () => undefined,
      onPosition(now) {
        received += now - position;
        position = now;
        onBytes(received);
      },
      onDecoded: () => undefined,
    });
    const bytes = collected.bytes();
    const isCut = collected.lacksMemory() || (bytes.length - section.length >= kept && kept !== length);
    return { bytes, isWhole: !isCut };
  }

  async function readSection(map: InitializationSection, sequence: number): Promise<Buffer> {
    const reading =
      sections.get(map) ?? fetch({ ...map, name: 'The initialisation section' }, sequence, maxSectionBytes);
    sections.set(map, reading);
    // A copy, so that the buffer of an encrypted one is not kept.
    return Buffer.from((await reading).bytes.subarray(0, maxSectionBytes));
  }

  async function readUpTo(segment: Segment, limit: number): Promise<SegmentBytes> {
    const { map, sequence } = segment;
    const section = map && (await readSection(map, sequence));
    return await fetch({ ...segment, name: nameOf(segment) }, sequence, limit, section);
  }

  return {
    readHead: (segment) => readUpTo(segment, headBytes),
    read: (segment) => readUpTo(segment, maxBytes),
    close: () => held.give(),
  };
}

/** Bytes that are collected. */
interface CollectedBytes {
  readonly writer: ByteWriter;
  bytes(): Buffer;
  /** Whether bytes are missing because there was no memory for them. */
  lacksMemory(): boolean;
}

/**
 * Collects bytes that arrive in order from a position, up to a number of them, after those of a section, as far as the
 * memory allows. They are collected in one buffer, because joining tens of megabytes at the end would block the event loop.
 */
function collect(from: number, limit: number, section: Buffer, memory: HeldMemory): CollectedBytes {
  let buffer = Buffer.from(section);
  let size = section.length;
  let isFull = false;

  function enlarge(minimum: number): void {
    const length = Math.max(minimum, 2 * buffer.length);
    isFull = !memory.take(length - buffer.length);
    if (isFull) return;
    const larger = Buffer.allocUnsafeSlow(length);
    buffer.copy(larger);
    buffer = larger;
  }
  return {
    writer: {
      write(position, chunk) {
        // A response that could not be continued starts again.
        if (position === from) size = section.length;
        const taken = chunk.subarray(0, section.length + limit - size);
        if (size + taken.length > buffer.length && !isFull) enlarge(size + taken.length);
        size += taken.copy(buffer, size);
        return undefined;
      },
      flush: async () => undefined,
      finish: async () => undefined,
    },
    bytes: () => buffer.subarray(0, size),
    lacksMemory: () => isFull,
  };
}
