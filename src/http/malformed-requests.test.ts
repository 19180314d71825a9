import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { rejectMalformedRequest } from './malformed-requests.ts';

/** Creates a connection that records what is sent over it. */
function connection(writable = true) {
  const output = { text: '', destroyed: false };
  const socket = Object.assign(new EventEmitter(), {
    writable,
    end: (text: string) => {
      output.text += text;
    },
    resume: () => undefined,
    destroy: () => {
      output.destroyed = true;
      socket.emit('close');
    },
  });
  // The code under test uses only these members and events of a socket.
  return { output, socket: socket as unknown as Socket };
}

const log = { info: () => undefined };

const failure = (code: string) => Object.assign(new Error('Parse Error'), { code });

test.each([
  ['HPE_INVALID_METHOD', 400, 'Bad Request', false],
  ['HPE_HEADER_OVERFLOW', 431, 'Request Header Fields Too Large', false],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'Request Timeout', true],
])('%s gets status %i in the envelope', (code, status, words, retryable) => {
  const { output, socket } = connection();
  rejectMalformedRequest(failure(code), socket, log);
  const [head = '', body = ''] = output.text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} ${words}\r\n`));
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(head).toContain('Connection: close');
  const [, requestId] = /^x-request-id: ([\da-f-]{36})$/m.exec(head.replaceAll('\r', '')) ?? [];
  expect(JSON.parse(body)).toEqual({
    error: {
      code: 'invalid_params',
      message: expect.any(String),
      statusCode: status,
      retryable,
      requestId,
    },
    metadata: {},
  });
});

test.each([
  ['a connection that was reset', 'ECONNRESET', true],
  ['a connection that accepts no more data', 'HPE_INVALID_METHOD', false],
])('%s is closed without a response', (_name, code, writable) => {
  const { output, socket } = connection(writable);
  rejectMalformedRequest(failure(code), socket, log);
  expect(output).toEqual({ text: '', destroyed: true });
});

test('a connection whose peer never closes its side is closed after a second', () => {
  vi.useFakeTimers();
  const { output, socket } = connection();
  rejectMalformedRequest(failure('HPE_INVALID_METHOD'), socket, log);
  vi.advanceTimersByTime(999);
  expect(output.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(output.destroyed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
