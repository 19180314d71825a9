import { describe, expect, it } from 'vitest';
import { differencesOf } from './compare-copies.ts';
import type { MediaDescription, PacketDescription, StreamDescription } from './media-description.ts';

/** Packets that are shown one after the other. */
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

/** A stream of which one packet is different. */
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

describe('a copy that is the same', () => {
  it('has no differences', () => {
    expect(differencesOf(source, source, 'mp4')).toEqual([]);
  });

  it('may begin elsewhere on its own clock, as a whole', () => {
    const late = file(shiftStream(picture, 900_000), shiftStream(sound, 480_000));
    expect(differencesOf(late, source, 'mp4')).toEqual([]);
    expect(differencesOf(source, file(shiftStream(picture, 900), shiftStream(sound, 480)), 'mp4')).toEqual([]);
  });

  it('may round times to its own clock', () => {
    const milliseconds = (stream: StreamDescription): StreamDescription => ({
      ...stream,
      tick: 0.001,
      packets: stream.packets.map((packet) => ({ ...packet, pts: Math.round((packet.pts ?? 0) * stream.tick * 1000) })),
    });
    expect(differencesOf(source, file(milliseconds(picture), milliseconds(sound)), 'mkv')).toEqual([]);
  });

  it('may lose what its container has no place for', () => {
    const rotatedPicture = { ...picture, traits: { ...picture.traits, 'display matrix': '00' } };
    expect(differencesOf(file(rotatedPicture), file(picture), 'ts')).toEqual([]);
    expect(differencesOf(file(rotatedPicture), file(picture), 'mp4')).toEqual([
      'h264 0: its display matrix is not said instead of 00',
    ]);
  });

  it('may cut uncompressed sound otherwise', () => {
    const [short, long] = [packets(1000, 8), packets(4000, 2).map((packet) => ({ ...packet, bytes: 400 }))];
    const pcm = { ...sound, codec: 'pcm_s16le' };
    expect(differencesOf(file({ ...pcm, packets: short }), file({ ...pcm, packets: long }), 'mov')).toEqual([]);
    expect(
      differencesOf(file({ ...pcm, packets: short }), file({ ...pcm, packets: long.slice(1) }), 'mov'),
    ).not.toEqual([]);
    const other = { ...pcm, packets: long, essence: 'other' };
    expect(differencesOf(file({ ...pcm, packets: short }), file(other), 'mov')).toEqual([
      'pcm_s16le 0: it holds something else',
    ]);
  });

  it('may end with a full block of ADPCM in WAV', () => {
    const adpcm = { ...sound, codec: 'adpcm_ms' };
    const shortened = changePacket(adpcm, 8, { duration: 300 });
    const singlePacket = { ...adpcm, packets: packets(9 * 1024, 1).map((packet) => ({ ...packet, bytes: 900 })) };
    expect(differencesOf(file(shortened), file(singlePacket), 'wav')).toEqual([]);
    expect(differencesOf(file(shortened), file(singlePacket), 'mkv')).not.toEqual([]);
  });

  it('may be called MP3 in MP4 when it is MP2, as long as its packets are the same', () => {
    const [mp2, mp3] = [
      { ...sound, codec: 'mp2' },
      { ...sound, codec: 'mp3' },
    ];
    expect(differencesOf(file(mp2), file(mp3), 'mp4')).toEqual([]);
    expect(differencesOf(file(mp2), file(mp3), 'mkv')).not.toEqual([]);
    expect(differencesOf(file(mp2), file(changePacket(mp3, 2, { essence: 'other' })), 'mp4')).not.toEqual([]);
  });

  it('may have more key frames in Matroska where parsers do not know kinds of pictures', () => {
    const [inter, key] = [{ ...picture, codec: 'h263' }, changePacket({ ...picture, codec: 'h263' }, 1, { key: true })];
    expect(differencesOf(file(inter), file(key), 'mkv')).toEqual([]);
    expect(differencesOf(file(key), file(inter), 'mkv')).not.toEqual([]);
    expect(differencesOf(file(inter), file(key), 'mov')).not.toEqual([]);
  });
});

describe('a copy is found out', () => {
  it.each<[string, MediaDescription, string]>([
    ['lacks a stream', file(picture), 'it has video h264 instead of video h264, audio aac'],
    ['has streams in another order', file(sound, picture), 'it has audio aac, video h264'],
    [
      'lacks its last packet',
      file(picture, { ...sound, packets: sound.packets.slice(0, -1) }),
      '8 packets instead of 9',
    ],
    ['shows a packet late', file(changePacket(picture, 2, { pts: 7300 }), sound), 'packet 2 is shown at another time'],
    ['plays sound early', file(picture, shiftStream(sound, -960)), 'aac 1: packet 0 is shown at another time'],
    ['holds other bytes', file(picture, changePacket(sound, 3, { essence: 'x' })), 'packet 3 holds something else'],
    [
      'begins a packet elsewhere',
      file(changePacket(picture, 1, { key: true }), sound),
      'packet 1 is no key frame, or is one',
    ],
    ['hides a picture', file(changePacket(picture, 0, { discard: true }), sound), 'packet 0 is hidden'],
    ['ends early', file(changePacket(picture, 4, { duration: 0 }), sound), 'h264 0: it ends -0.0400 s late'],
    ['begins far from zero', file(shiftStream(picture, 90_000), shiftStream(sound, 48_000)), 'it begins at 1.000 s'],
    [
      'tells another language',
      file(picture, { ...sound, traits: { ...sound.traits, language: 'eng' } }),
      'its language is eng instead of ger',
    ],
    ['tells other flags', file(picture, { ...sound, flags: [] }), 'its flags are none instead of default'],
  ])('that %s', (_what, copy, difference) => {
    expect(differencesOf(source, copy, 'mp4').join()).toContain(difference);
  });
});
