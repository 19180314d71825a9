import { readFileSync, writeFileSync } from 'node:fs';
import {
  ALL_FORMATS,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import type { ByteSource } from '../binary/byte-source.ts';
import { readTopBoxes } from '../mp4/box-reader.ts';
import { box, fullBox, u16, u32 } from '../mp4/box-writer.ts';
import { readMovie, SampleReader } from '../mp4/movie-reader.ts';
import { fileTypeBox, movieBox } from '../mp4/movie-writer.ts';
import { testSamples, testTrack } from './mp4-tracks.ts';

/** Wraps a buffer as a source. */
export function bufferSource(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/**
 * Creates a DASH file from a file with one track: fragments of about a second, written by an independent library,
 * preceded by one index.
 */
export async function makeDash(from: string, to: string): Promise<void> {
  const fragmentedFile = await fragment(from);
  const boxes = readTopBoxes(bufferSource(fragmentedFile));
  const moov = boxes.find(({ type }) => type === 'moov');
  if (moov === undefined) throw new Error('there is no moov box');
  const index = indexOf(fragmentedFile);
  writeFileSync(to, Buffer.concat([fragmentedFile.subarray(0, moov.end), index, fragmentedFile.subarray(moov.end)]));
}

/** Writes the only track of a file in fragments, starting at zero. */
async function fragment(path: string): Promise<Buffer> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const target = new BufferTarget();
  const format = new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: 1 });
  const output = new Output({ format, target });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  if (video !== null) {
    const source = new EncodedVideoPacketSource('avc');
    output.addVideoTrack(source);
    await output.start();
    const decoderConfig = (await video.getDecoderConfig()) ?? undefined;
    for await (const packet of new EncodedPacketSink(video).packets()) {
      await source.add(packet, decoderConfig === undefined ? {} : { decoderConfig });
    }
  } else if (audio !== null) {
    const source = new EncodedAudioPacketSource('aac');
    output.addAudioTrack(source);
    await output.start();
    const decoderConfig = (await audio.getDecoderConfig()) ?? undefined;
    const first = await audio.getFirstTimestamp();
    for await (const packet of new EncodedPacketSink(audio).packets()) {
      const shiftedPacket = packet.clone({ timestamp: packet.timestamp - first });
      await source.add(shiftedPacket, decoderConfig === undefined ? {} : { decoderConfig });
    }
  }
  await output.finalize();
  input.dispose();
  if (target.buffer === null) throw new Error('nothing was written');
  return Buffer.from(target.buffer);
}

function indexOf(file: Buffer): Buffer {
  const source = bufferSource(file);
  const movie = readMovie(source);
  const [track] = movie.tracks;
  if (track === undefined) throw new Error('there is no track');
  const boxes = readTopBoxes(source);
  const entries = movie.fragments.map((moof) => {
    const reader = new SampleReader({ ...movie }, [track], file.length);
    reader.addFragment(source, moof, { positionShift: 0, from: 0, to: file.length });
    const media = boxes[boxes.findIndex(({ offset }) => offset === moof.offset) + 1];
    return u32((media?.end ?? 0) - moof.offset, reader.finish(track, file.length).ticks, 0x9000_0000);
  });
  return fullBox('sidx', 0, 0, u32(track.id, track.timescale, 0, 0), u16(0, entries.length), ...entries);
}

/** Reads a file into a source. */
export function readSource(path: string): ByteSource {
  return bufferSource(readFileSync(path));
}

/** Creates a DASH file of `size` bytes with a valid head only: one fragment of zeros, six seconds long. */
export function emptyDash(kind: 'video' | 'audio', size: number): Buffer {
  const track = testTrack(kind);
  const timing = { delay: 0, mediaTime: 0, length: 6, lead: 0, duration: 6 };
  const chunks = { offsets: [], counts: [] };
  const index = movieBox([{ source: { input: 0, track, samples: testSamples([]) }, timing, chunks }], false);
  const defaults = box('mvex', fullBox('trex', 0, 0, u32(1, 1, 0, 0, 0)));
  const head = Buffer.concat([fileTypeBox('mp4', []), box('moov', index.subarray(8), defaults)]);
  const entry = u32(size - head.length - 44, 6 * track.timescale, 0x9000_0000);
  const segments = fullBox('sidx', 0, 0, u32(1, track.timescale, 0, 0), u16(0, 1), entry);
  return Buffer.concat([head, segments, Buffer.alloc(size - head.length - segments.length)]);
}
