/** IDs of elements (RFC 9559 §5.1). */
const ids = {
  ...{ segment: 0x18538067, tracks: 0x1654ae6b, track: 0xae, trackNumber: 0xd7, trackType: 0x83 },
  ...{ language: 0x22b59c, languageTag: 0x22b59d, codecDelay: 0x56aa, cluster: 0x1f43b675, clusterTime: 0xe7 },
  ...{ group: 0xa0, block: 0xa1, duration: 0x9b },
} as const;
const types = new Map([
  [1, 'video'],
  [2, 'audio'],
  [17, 'subtitle'],
]);

interface Element {
  readonly id: number;
  readonly body: Buffer;
}

/** A track, as its file describes it. */
export interface MatroskaTrack {
  readonly kind: string | undefined;
  /** Its two language elements; undefined if the file lacks them. */
  readonly language: string | undefined;
  readonly languageTag: string | undefined;
  /** Milliseconds at its beginning that players decode, but do not play. */
  readonly delay: number;
}

/** Returns the tracks of a Matroska file. */
export function tracksOf(file: Buffer): MatroskaTrack[] {
  return trackEntries(file).map((parts) => ({
    kind: types.get(number(parts, ids.trackType)),
    language: text(parts, ids.language),
    languageTag: text(parts, ids.languageTag),
    delay: number(parts, ids.codecDelay) / 1e6,
  }));
}

/** Returns the start and the end of each subtitle of a Matroska file in milliseconds, with its packet as text. */
export function cuesOf(file: Buffer): [start: number, end: number, text: string][] {
  const subtitles = trackEntries(file).find((parts) => types.get(number(parts, ids.trackType)) === 'subtitle') ?? [];
  const track = number(subtitles, ids.trackNumber);
  return within(file, ids.segment, ids.cluster).flatMap((cluster) => {
    const time = number(cluster, ids.clusterTime);
    return cluster.flatMap(({ id, body }): [number, number, string][] => {
      const parts = id === ids.group ? elements(body) : [];
      const block = parts.find((part) => part.id === ids.block)?.body;
      // A block begins with its track in one byte, its time in two, and flags.
      if (block === undefined || block.readUInt8(0) !== (0x80 | track)) return [];
      const start = time + block.readInt16BE(1);
      return [[start, start + number(parts, ids.duration), block.toString('utf8', 4)]];
    });
  });
}

function trackEntries(file: Buffer): Element[][] {
  return within(file, ids.segment, ids.tracks).flatMap((parts) => {
    return parts.filter(({ id }) => id === ids.track).map(({ body }) => elements(body));
  });
}

/** Returns the contents of all elements with an ID in the first level below another. */
function within(file: Buffer, parent: number, child: number): Element[][] {
  const inside = elements(file).find(({ id }) => id === parent)?.body ?? Buffer.alloc(0);
  return elements(inside).flatMap(({ id, body }) => (id === child ? [elements(body)] : []));
}

/** Parses elements whose sizes are known (RFC 8794 §5 and §6). */
function elements(bytes: Buffer): Element[] {
  const list: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const idBytes = Math.clz32(bytes.readUInt8(at)) - 23;
    const sizeAt = at + idBytes;
    const sizeBytes = Math.clz32(bytes.readUInt8(sizeAt)) - 23;
    // The first byte of a size has a marker bit. Sizes of eight bytes have nothing else in that byte.
    const size =
      sizeBytes > 6
        ? Number(bytes.readBigUInt64BE(sizeAt) & 0xff_ffff_ffff_ffffn)
        : bytes.readUIntBE(sizeAt, sizeBytes) - 2 ** (7 * sizeBytes);
    const start = sizeAt + sizeBytes;
    list.push({ id: bytes.readUIntBE(at, idBytes), body: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return list;
}

function number(parts: readonly Element[], wanted: number): number {
  const body = parts.find(({ id }) => id === wanted)?.body;
  return body === undefined || body.length === 0 ? 0 : body.readUIntBE(0, body.length);
}

function text(parts: readonly Element[], wanted: number): string | undefined {
  return parts
    .find(({ id }) => id === wanted)
    ?.body.toString('latin1')
    .replace(/\0+$/, '');
}
