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

test('a connection that keeps up is sent every event, and ends after the final one', () => {
  for (const text of ['1', '2', '3']) listener.onEvent(text, false);
  listener.onEvent('4', true);
  expect(messages).toEqual(['1', '2', '3', '4', 'end']);
});

test('one that is behind misses events and goes on with the newest', () => {
  listener.onEvent('1', false);
  isBehind = true;
  for (const text of ['2', '3', '4']) listener.onEvent(text, false);
  isBehind = false;
  listener.onEvent('5', false);
  expect(messages).toEqual(['1', '5']);
});

test('one that is behind is sent the final event all the same', () => {
  isBehind = true;
  listener.onEvent('1', false);
  listener.onEvent('2', true);
  expect(messages).toEqual(['2', 'end']);
});

test('one that takes in nothing for half a minute is broken off', () => {
  isBehind = true;
  for (let event = 0; event < 30; event += 1) listener.onEvent('more', false);
  expect(messages).toEqual([]);
  listener.onEvent('more', false);
  expect(messages).toEqual(['cut']);
});

test('one that is behind again and again, but moves on, is kept', () => {
  for (let event = 0; event < 200; event += 1) {
    isBehind = event % 20 !== 0;
    listener.onEvent('more', false);
  }
  expect(messages).not.toContain('cut');
});

test('a text is encoded once for all that are sent it in a row', () => {
  let encodings = 0;
  const encode = encodeOnce((text) => {
    encodings += 1;
    return Buffer.from(`<${text}>`);
  });
  expect(['a', 'a', 'b', 'b', 'a'].map((text) => encode(text).toString())).toEqual(['<a>', '<a>', '<b>', '<b>', '<a>']);
  expect(encodings).toBe(3);
});
