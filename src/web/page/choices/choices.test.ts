import { expect, test } from 'vitest';
import type { Quality } from '../qualities/qualities.ts';
import { type Choice, leadingChoices } from './choices.ts';

const quality = (label: string, reason?: string): Quality => ({
  label,
  name: label,
  kind: 'video',
  hdr: false,
  compatibility: 'everywhere',
  container: 'MP4',
  codec: 'H.264',
  bytes: undefined,
  exact: false,
  hasAudio: true,
  delivery: reason === undefined ? { by: 'request' } : { by: 'none', reason },
});

const namesOf = (choices: readonly Choice[]) =>
  choices.map((choice) => {
    if (choice.kind === 'image') return 'image';
    return choice.kind === 'audio' ? choice.format : `${choice.best ? 'best ' : ''}${choice.quality.label}`;
  });

const videos = [quality('2160p', 'It is too large.'), quality('1080p'), quality('720p')];

test('the best deliverable video and MP3 lead at first', () => {
  expect(namesOf(leadingChoices(videos, true, undefined))).toEqual(['best 1080p', 'mp3']);
  expect(namesOf(leadingChoices(videos, false, undefined))).toEqual(['best 1080p']);
  expect(namesOf(leadingChoices([], true, undefined))).toEqual(['mp3']);
});

test('the last choice leads, and is not repeated', () => {
  const leadingAfter = (kind: 'video' | 'audio', label: string) =>
    namesOf(leadingChoices(videos, true, { kind, label }));
  expect(leadingAfter('video', '720p')).toEqual(['720p', 'best 1080p', 'mp3']);
  expect(leadingAfter('video', 'best')).toEqual(['best 1080p', 'mp3']);
  expect(leadingAfter('audio', 'mp3')).toEqual(['mp3', 'best 1080p']);
  expect(leadingAfter('audio', 'flac')).toEqual(['flac', 'best 1080p', 'mp3']);
});

test('a last choice that an item does not have is left out', () => {
  expect(namesOf(leadingChoices(videos, true, { kind: 'video', label: '480p' }))).toEqual(['best 1080p', 'mp3']);
  expect(namesOf(leadingChoices(videos, true, { kind: 'video', label: '2160p' }))).toEqual(['best 1080p', 'mp3']);
  expect(namesOf(leadingChoices(videos, false, { kind: 'audio', label: 'mp3' }))).toEqual(['best 1080p']);
});
