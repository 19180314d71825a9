import { beforeEach, expect, test } from 'vitest';
import type { StatusListener } from './status-hub.ts';
import { createStreamListener, encodeOnce } from './status-stream.ts';

let messages: string[];
let isBehind: boolean;
let listener: StatusListener;

beforeEach(() => {
  messages = [];
  isBehind = false;
  listener = createStreamListener({
    isBackedUp: () => isBehind,
    send: (text) => messages.push(text),
    end: () => messages.push('end'),
    terminate: () => messages.push('cut'),
  });
});

test('sends every event to a connection that keeps up, and ends it after the final one', () => {
  for (const text of ['1', '2', '3']) listener.onEvent(text, false);
  listener.onEvent('4', true);
  expect(messages).toEqual(['1', '2', '3', '4', 'end']);
});

test('skips events for a slow connection, and resumes with the newest', () => {
  listener.onEvent('1', false);
  isBehind = true;
  for (const text of ['2', '3', '4']) listener.onEvent(text, false);
  isBehind = false;
  listener.onEvent('5', false);
  expect(messages).toEqual(['1', '5']);
});

test('sends the final event to a slow connection too', () => {
  isBehind = true;
  listener.onEvent('1', false);
  listener.onEvent('2', true);
  expect(messages).toEqual(['2', 'end']);
});

test('terminates a connection that accepts nothing for half a minute', () => {
  isBehind = true;
  for (let event = 0; event < 30; event += 1) listener.onEvent('more', false);
  expect(messages).toEqual([]);
  listener.onEvent('more', false);
  expect(messages).toEqual(['cut']);
});

test('keeps a connection that is slow repeatedly but makes progress', () => {
  for (let event = 0; event < 200; event += 1) {
    isBehind = event % 20 !== 0;
    listener.onEvent('more', false);
  }
  expect(messages).not.toContain('cut');
});

test('encodes a text once for consecutive recipients', () => {
  let encodings = 0;
  const encode = encodeOnce((text) => {
    encodings += 1;
    return Buffer.from(`<${text}>`);
  });
  expect(['a', 'a', 'b', 'b', 'a'].map((text) => encode(text).toString())).toEqual(['<a>', '<a>', '<b>', '<b>', '<a>']);
  expect(encodings).toBe(3);
});
