import { beforeEach, expect, test } from 'vitest';
import type { StatusListener } from './status-hub.ts';
import { encodeOnce, createStreamListener } from './status-stream.ts';

let sent: string[];
let behind: boolean;
let listener: StatusListener;

beforeEach(() => {
  sent = [];
  behind = false;
  listener = createStreamListener({
    isBackedUp: () => behind,
    send: (text) => sent.push(text),
    end: () => sent.push('end'),
    terminate: () => sent.push('cut'),
  });
});

test('a connection that keeps up is sent every event, and ends after the final one', () => {
  for (const text of ['1', '2', '3']) listener.onEvent(text, false);
  listener.onEvent('4', true);
  expect(sent).toEqual(['1', '2', '3', '4', 'end']);
});

test('one that is behind misses events and goes on with the newest', () => {
  listener.onEvent('1', false);
  behind = true;
  for (const text of ['2', '3', '4']) listener.onEvent(text, false);
  behind = false;
  listener.onEvent('5', false);
  expect(sent).toEqual(['1', '5']);
});

test('one that is behind is sent the final event all the same', () => {
  behind = true;
  listener.onEvent('1', false);
  listener.onEvent('2', true);
  expect(sent).toEqual(['2', 'end']);
});

test('one that takes in nothing for half a minute is broken off', () => {
  behind = true;
  for (let event = 0; event < 30; event += 1) listener.onEvent('more', false);
  expect(sent).toEqual([]);
  listener.onEvent('more', false);
  expect(sent).toEqual(['cut']);
});

test('one that is behind again and again, but moves on, is kept', () => {
  for (let event = 0; event < 200; event += 1) {
    behind = event % 20 !== 0;
    listener.onEvent('more', false);
  }
  expect(sent).not.toContain('cut');
});

test('a text is encoded once for all that are sent it in a row', () => {
  let encoded = 0;
  const encode = encodeOnce((text) => {
    encoded += 1;
    return Buffer.from(`<${text}>`);
  });
  expect(['a', 'a', 'b', 'b', 'a'].map((text) => encode(text).toString())).toEqual(['<a>', '<a>', '<b>', '<b>', '<a>']);
  expect(encoded).toBe(3);
});
