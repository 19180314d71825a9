import { type Box, childBoxes } from '../mp4/box-reader.ts';
import { box, fullBox, latin1, u16, u32 } from '../mp4/box-writer.ts';
import { identityMatrix } from '../mp4/track-reader.ts';

/**
 * A change to an MP4 file whose index is at the end, so that no sample moves. Phones, cameras and editing programs
 * write files like the changed ones, but the media library's own muxer does not.
 */
export type Mp4Change = (moov: Branch) => void;

/** A box of boxes. */
interface Branch {
  readonly type: string;
  readonly parts: (Branch | Leaf)[];
}

/** A box with any other content. */
interface Leaf {
  readonly type: string;
  body: Buffer;
}

/** An entry of an edit list: its duration in milliseconds, and its media time in the track's ticks (-1: empty). */
export type TestEdit = readonly [milliseconds: number, mediaTime: number];

const branches = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl']);

/** Applies changes to a file. */
export function changeMp4(file: Buffer, ...changes: readonly Mp4Change[]): Buffer {
  const boxes = childBoxes(file);
  const moov = boxes.at(-1);
  if (moov?.type !== 'moov') throw new Error('the index is not at the end of the file');
  const tree: Branch = { type: 'moov', parts: moov.body.length > 0 ? childBoxes(moov.body).map(parse) : [] };
  for (const change of changes) change(tree);
  return Buffer.concat([...boxes.slice(0, -1).map(({ bytes: whole }) => whole), write(tree)]);
}

/** Replaces the edit list of a track, counted from 0. */
export function setEdits(at: number, edits: readonly TestEdit[]): Mp4Change {
  return (moov) => {
    const track = trackAt(moov, at);
    const scale = leafOf(moov, 'mvhd').body.readUInt32BE(12);
    const entries = edits.map(([milliseconds, mediaTime]) =>
      u32(Math.round((milliseconds * scale) / 1000), mediaTime >>> 0, 0x1_0000),
    );
    const list = fullBox('elst', 0, 0, u32(edits.length), ...entries);
    const others = track.parts.filter(({ type }) => type !== 'edts');
    const [header, ...rest] = others;
    if (header === undefined) throw new Error('the track is empty');
    track.parts.splice(0, track.parts.length, header, { type: 'edts', body: list }, ...rest);
  };
}

/** Removes the first sync samples of a track from its sync sample table. */
export function dropSyncSamples(at: number, count: number): Mp4Change {
  return (moov) => {
    const leaf = leafOf(tableOf(trackAt(moov, at)), 'stss');
    const entries = leaf.body.readUInt32BE(4) - count;
    leaf.body = Buffer.concat([u32(0, entries), leaf.body.subarray(8 + 4 * count)]);
  };
}

/** Changes the sample entry of a track: its four-character code, and the boxes after its own. */
export function changeSampleEntry(at: number, code: string, ...added: readonly Buffer[]): Mp4Change {
  return (moov) => {
    const leaf = leafOf(tableOf(trackAt(moov, at)), 'stsd');
    const [entry] = childBoxes(leaf.body.subarray(8));
    if (entry === undefined) throw new Error('the track has no sample entry');
    leaf.body = Buffer.concat([leaf.body.subarray(0, 8), box(code, entry.body, ...added)]);
  };
}

/** Removes all samples from a track, but not its sample description. */
export function emptyTrack(at: number): Mp4Change {
  return (moov) => {
    const table = tableOf(trackAt(moov, at));
    const description = leafOf(table, 'stsd');
    table.parts.splice(0, table.parts.length, description, ...emptySampleTables());
  };
}

/** Removes all entries from the sample description of a track. */
export function emptyDescription(at: number): Mp4Change {
  return (moov) => {
    leafOf(tableOf(trackAt(moov, at)), 'stsd').body = u32(0, 0);
  };
}

/** Removes the sample description of a track. */
export function removeDescription(at: number): Mp4Change {
  return (moov) => {
    const table = tableOf(trackAt(moov, at));
    table.parts.splice(table.parts.indexOf(leafOf(table, 'stsd')), 1);
  };
}

/**
 * Adds a data track with one sample per second, each of which is the first `bytes` bytes of the file.
 *
 * @param handler - its handler type: `meta`, `tmcd`, `text`, `soun` …
 * @param entry - its sample entry type, a four-character code.
 */
export function addDataTrack(handler: string, entry: string, samples = 4, bytes = 8): Mp4Change {
  return (moov) => {
    const id = 1 + moov.parts.filter(({ type }) => type === 'trak').length;
    const length = samples * leafOf(moov, 'mvhd').body.readUInt32BE(12);
    const header = fullBox('tkhd', 0, 1, u32(0, 0, id, 0, length), u32(0, 0, 0, 0), identityMatrix, u32(0, 0));
    const description = fullBox('stsd', 0, 0, u32(1), box(entry, Buffer.alloc(6), u16(1), Buffer.alloc(18)));
    const table = [
      description,
      fullBox('stts', 0, 0, samples > 0 ? u32(1, samples, 1000) : u32(0)),
      fullBox('stsc', 0, 0, samples > 0 ? u32(1, 1, 1, 1) : u32(0)),
      fullBox('stsz', 0, 0, u32(samples > 0 ? bytes : 0, samples)),
      fullBox('stco', 0, 0, u32(samples), ...Array.from({ length: samples }, () => u32(0))),
    ];
    const reference = fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1));
    const media = box(
      'mdia',
      fullBox('mdhd', 0, 0, u32(0, 0, 1000, 1000 * samples), u16(0x55c4, 0)),
      fullBox('hdlr', 0, 0, u32(0), latin1(handler), u32(0, 0, 0), latin1('data\0')),
      box('minf', fullBox('nmhd', 0, 0), box('dinf', reference), box('stbl', ...table)),
    );
    const [track] = childBoxes(box('trak', header, media));
    if (track !== undefined) moov.parts.push(parse(track));
  };
}

function emptySampleTables(): Leaf[] {
  return [
    { type: 'stts', body: u32(0, 0) },
    { type: 'stsc', body: u32(0, 0) },
    { type: 'stsz', body: u32(0, 0, 0) },
    { type: 'stco', body: u32(0, 0) },
  ];
}

function trackAt(moov: Branch, at: number): Branch {
  const track = moov.parts.filter(({ type }) => type === 'trak')[at];
  if (track === undefined || !('parts' in track)) throw new Error(`there is no track ${at}`);
  return track;
}

function tableOf(track: Branch): Branch {
  let branch = track;
  for (const type of ['mdia', 'minf', 'stbl']) {
    const next = branch.parts.find((part): part is Branch => part.type === type && 'parts' in part);
    if (next === undefined) throw new Error(`the track has no ${type}`);
    branch = next;
  }
  return branch;
}

function leafOf({ parts }: Branch, type: string): Leaf {
  const leaf = parts.find((part): part is Leaf => part.type === type && 'body' in part);
  if (leaf === undefined) throw new Error(`there is no ${type}`);
  return leaf;
}

function parse({ type, body }: Box): Branch | Leaf {
  return branches.has(type) ? { type, parts: childBoxes(body).map(parse) } : { type, body };
}

function write(node: Branch | Leaf): Buffer {
  return 'body' in node ? box(node.type, node.body) : box(node.type, ...node.parts.map(write));
}
