import { describe, expect, it } from 'vitest';
import { differencesOf } from './compare-copies.ts';
import type { MediaDescription, PacketDescription, StreamDescription } from './media-description.ts';

/** Returns contiguous packets. */
const packets = (duration: number, count = 5): PacketDescription[] =>
  Array.from({ length: count }, (_, at) => {
    const time = at * duration;
    return { pts: time, dts: time, duration, key: at === 0, discard: false, bytes: 100, essence: `${at}` };
  });

const picture: StreamDescription = {
  kind: 'video',
  codec: 'h264',
  tick: 1 / 90_000,
  delay: 0,
  essence: 'all',
  flags: ['default'],
  traits: { language: 'und', size: '160x90', matrix: '1' },
  packets: packets(3600),
};

const sound: StreamDescription = {
  kind: 'audio',
  codec: 'aac',
  tick: 1 / 48_000,
  delay: 0,
  essence: 'all',
  flags: ['default'],
  traits: { language: 'ger', rate: '48000', channels: '2', layout: 'stereo' },
  packets: packets(1024, 9),
};

const file = (...streams: StreamDescription[]): MediaDescription => ({ format: 'mov,mp4,m4a,3gp,3g2,mj2', streams });

const source = file(picture, sound);

/** Returns a stream with one changed packet. */
function changePacket(stream: StreamDescription, at: number, change: Partial<PacketDescription>): StreamDescription {
  return {
    ...stream,
    packets: stream.packets.map((packet, index) => (index === at ? { ...packet, ...change } : packet)),
  };
}

const shiftStream = (stream: StreamDescription, ticks: number): StreamDescription => ({
  ...stream,
  packets: stream.packets.map((packet) => ({ ...packet, pts: (packet.pts ?? 0) + ticks })),
});

describe('differencesOf for an equal copy', () => {
  it('returns no differences', () => {
    expect(differencesOf(source, source, 'mp4')).toEqual([]);
  });

  it('accepts a shift of the whole copy on its own clock', () => {
    const late = file(shiftStream(picture, 900_000), shiftStream(sound, 480_000));
    expect(differencesOf(late, source, 'mp4')).toEqual([]);
    expect(differencesOf(source, file(shiftStream(picture, 900), shiftStream(sound, 480)), 'mp4')).toEqual([]);
  });

  it('accepts times that are rounded to the clock of the copy', () => {
    const milliseconds = (stream: StreamDescription): StreamDescription => ({
      ...stream,
      tick: 0.001,
      packets: stream.packets.map((packet) => ({ ...packet, pts: Math.round((packet.pts ?? 0) * stream.tick * 1000) })),
    });
    expect(differencesOf(source, file(milliseconds(picture), milliseconds(sound)), 'mkv')).toEqual([]);
  });

  it('accepts the loss of properties that the container cannot store', () => {
    const rotatedPicture = { ...picture, traits: { ...picture.traits, 'display matrix': '00' } };
    expect(differencesOf(file(rotatedPicture), file(picture), 'ts')).toEqual([]);
    expect(differencesOf(file(rotatedPicture), file(picture), 'mp4')).toEqual([
      'h264 0: its display matrix is not declared instead of 00',
    ]);
  });

  it('accepts other packet boundaries of uncompressed audio', () => {
    const [short, long] = [packets(1000, 8), packets(4000, 2).map((packet) => ({ ...packet, bytes: 400 }))];
    const pcm = { ...sound, codec: 'pcm_s16le' };
    expect(differencesOf(file({ ...pcm, packets: short }), file({ ...pcm, packets: long }), 'mov')).toEqual([]);
    expect(
      differencesOf(file({ ...pcm, packets: short }), file({ ...pcm, packets: long.slice(1) }), 'mov'),
    ).not.toEqual([]);
    const other = { ...pcm, packets: long, essence: 'other' };
    expect(differencesOf(file({ ...pcm, packets: short }), file(other), 'mov')).toEqual([
      'pcm_s16le 0: it has other content',
    ]);
  });

  it('accepts a full last block of ADPCM in WAV', () => {
    const adpcm = { ...sound, codec: 'adpcm_ms' };
    const shortened = changePacket(adpcm, 8, { duration: 300 });
    const singlePacket = { ...adpcm, packets: packets(9 * 1024, 1).map((packet) => ({ ...packet, bytes: 900 })) };
    expect(differencesOf(file(shortened), file(singlePacket), 'wav')).toEqual([]);
    expect(differencesOf(file(shortened), file(singlePacket), 'mkv')).not.toEqual([]);
  });

  it('accepts MP2 that is reported as MP3 in MP4 if its packets are the same', () => {
    const [mp2, mp3] = [
      { ...sound, codec: 'mp2' },
      { ...sound, codec: 'mp3' },
    ];
    expect(differencesOf(file(mp2), file(mp3), 'mp4')).toEqual([]);
    expect(differencesOf(file(mp2), file(mp3), 'mkv')).not.toEqual([]);
    expect(differencesOf(file(mp2), file(changePacket(mp3, 2, { essence: 'other' })), 'mp4')).not.toEqual([]);
  });

  it('accepts additional keyframes in Matroska if parsers do not distinguish frame types', () => {
    const [inter, key] = [{ ...picture, codec: 'h263' }, changePacket({ ...picture, codec: 'h263' }, 1, { key: true })];
    expect(differencesOf(file(inter), file(key), 'mkv')).toEqual([]);
    expect(differencesOf(file(key), file(inter), 'mkv')).not.toEqual([]);
    expect(differencesOf(file(inter), file(key), 'mov')).not.toEqual([]);
  });
});

describe('differencesOf for a different copy', () => {
  it.each<[string, MediaDescription, string]>([
    ['lacks a stream', file(picture), 'it has video h264 instead of video h264, audio aac'],
    ['has streams in another order', file(sound, picture), 'it has audio aac, video h264'],
    [
      'lacks its last packet',
      file(picture, { ...sound, packets: sound.packets.slice(0, -1) }),
      '8 packets instead of 9',
    ],
    [
      'presents a packet late',
      file(changePacket(picture, 2, { pts: 7300 }), sound),
      'packet 2 has another presentation time',
    ],
    ['plays audio early', file(picture, shiftStream(sound, -960)), 'aac 1: packet 0 has another presentation time'],
    ['has other bytes', file(picture, changePacket(sound, 3, { essence: 'x' })), 'packet 3 has other content'],
    [
      'has another keyframe',
      file(changePacket(picture, 1, { key: true }), sound),
      'packet 1 has another keyframe flag',
    ],
    ['hides a frame', file(changePacket(picture, 0, { discard: true }), sound), 'packet 0 is hidden'],
    ['ends early', file(changePacket(picture, 4, { duration: 0 }), sound), 'h264 0: it ends -0.0400 s late'],
    ['begins far from zero', file(shiftStream(picture, 90_000), shiftStream(sound, 48_000)), 'it begins at 1.000 s'],
    [
      'declares another language',
      file(picture, { ...sound, traits: { ...sound.traits, language: 'eng' } }),
      'its language is eng instead of ger',
    ],
    ['has other flags', file(picture, { ...sound, flags: [] }), 'its flags are none instead of default'],
  ])('reports a copy that %s', (_what, copy, difference) => {
    expect(differencesOf(source, copy, 'mp4').join()).toContain(difference);
  });
});
