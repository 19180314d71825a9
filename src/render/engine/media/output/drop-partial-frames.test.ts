import { AV_CODEC_ID_AAC, AV_CODEC_ID_AC3 } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import { expect, test } from 'vitest';
import type { NamedStream, Sink } from '../sink.ts';
import { dropPartialFrames } from './drop-partial-frames.ts';

const frame = [0x0b, 0x77, 0, 0, 0x14, 0x40, 0x43, 1];
const packet = (bytes: readonly number[]) => ({ data: Buffer.from(bytes) }) as Packet;

/** Pushes packets into a sink for a codec, and returns it and those that passed. */
function pushAll(codecId: number, packets: readonly (readonly number[])[]) {
  const passed: Packet[] = [];
  const target: Sink = { push: (one) => passed.push(one), startPart: () => undefined, end: () => undefined };
  // Only this member is read.
  const stream = { codecpar: { codecId } } as NamedStream['stream'];
  const sink = dropPartialFrames(target, { stream, label: 'The audio' }, 2);
  for (const bytes of packets) sink.push(packet(bytes));
  return { sink, passed };
}

test('parts of frames are dropped and counted', () => {
  const { sink, passed } = pushAll(AV_CODEC_ID_AC3, [[1, 2, 3], frame, frame, [0x0b, 0x77]]);
  expect(passed).toHaveLength(2);
  expect(sink.droppedCount?.()).toBe(2);
  expect(sink.describeLosses?.()).toBe('The audio has 2 frames that are not complete, which are missing.');
});

test('more than a second of them is refused', () => {
  const parts = Array.from({ length: 32 }, () => [1]);
  expect(() => pushAll(AV_CODEC_ID_AC3, [frame, ...parts.slice(1), frame])).not.toThrow();
  expect(() => pushAll(AV_CODEC_ID_AC3, [frame, ...parts, frame])).toThrow(
    expect.objectContaining({ code: 'input_unreadable', input: 2 }),
  );
});

test('other codecs pass', () => {
  expect(pushAll(AV_CODEC_ID_AAC, [[1, 2, 3]]).passed).toHaveLength(1);
});
