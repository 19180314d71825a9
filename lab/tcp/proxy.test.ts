import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from './proxy.ts';

/** A server that sends back what it is sent, and its connections. */
const echo = createServer((socket) => {
  accepted.push(socket);
  socket.on('error', () => socket.destroy()).pipe(socket);
});
const accepted: Socket[] = [];
const callers: Socket[] = [];
let proxy: TcpProxy;

beforeEach(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startTcpProxy((echo.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy.close();
  for (const socket of [...callers.splice(0), ...accepted.splice(0)]) socket.destroy();
  echo.close();
  await once(echo, 'close');
});

function call(): Socket {
  const caller = connect(proxy.port, '127.0.0.1');
  callers.push(caller);
  return caller;
}

/** A connection over which something has gone back and forth. */
async function established(): Promise<Socket> {
  const caller = call();
  expect(await answerTo(caller, 'hello')).toBe('hello');
  return caller;
}

async function answerTo(caller: Socket, text: string): Promise<string> {
  caller.write(text);
  const [chunk] = (await once(caller, 'data')) as [Buffer];
  return chunk.toString();
}

/** How a connection ends: `end`, or the code of its error. */
function endOf(socket: Socket): Promise<string> {
  return once(socket.resume(), 'end').then(
    () => 'end',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

test('bytes and the end of a connection are passed on', async () => {
  const caller = await established();
  caller.end();
  expect(await endOf(caller)).toBe('end');
});

test('in a black hole connections are accepted and stay, but nothing arrives; afterwards they are reset', async () => {
  const caller = await established();
  proxy.blackHole();
  const another = call();
  await once(another, 'connect');
  const nextEvent = Promise.race(['data', 'close'].flatMap((event) => [once(caller, event), once(another, event)]));
  caller.write('lost');
  another.write('lost');
  await expect.poll(() => proxy.droppedBytes).toBe(8);
  expect(await Promise.race([nextEvent, new Promise((resolve) => setImmediate(resolve, 'nothing'))])).toBe('nothing');

  proxy.open();
  const ends = [endOf(caller), endOf(another)];
  caller.write('more');
  another.write('more');
  expect(await Promise.all(ends)).toEqual(['ECONNRESET', 'ECONNRESET']);
  await established();
});

test('a connection whose target end was closed is silent for its caller; new ones work', async () => {
  const caller = await established();
  const [server] = accepted;
  if (server === undefined) throw new Error('nobody has called');
  const serverClosed = once(server, 'close');
  proxy.halfOpen('target');
  await serverClosed;
  caller.write('into nothing');
  expect(await answerTo(await established(), 'another')).toBe('another');
  expect([caller.destroyed, caller.readableEnded]).toEqual([false, false]);
});

test('a connection whose caller end was closed stays open for its target', async () => {
  const caller = await established();
  proxy.halfOpen('caller');
  expect(await endOf(caller)).toMatch(/^end$|^ECONNRESET$/);
  await established();
  expect(accepted[0]).toMatchObject({ destroyed: false, readableEnded: false });
});

test('cut connections are reset at both ends; new ones work', async () => {
  const caller = await established();
  const [server] = accepted;
  if (server === undefined) throw new Error('nobody has called');
  const ends = [endOf(server), endOf(caller)];
  proxy.cut();
  expect(await Promise.all(ends)).toEqual(['ECONNRESET', 'ECONNRESET']);
  await established();
});

test('refused connections are reset, those there are go on', async () => {
  const caller = await established();
  proxy.refuse();
  expect(await endOf(call())).toBe('ECONNRESET');
  expect(await answerTo(caller, 'still here')).toBe('still here');
  proxy.open();
  await established();
});

test('a slow connection takes the time that its rate asks for', async () => {
  const caller = await established();
  proxy.slow(100_000);
  const startedAt = performance.now();
  let left = 30_000;
  caller.write(Buffer.alloc(left));
  for await (const chunk of caller as AsyncIterable<Buffer>) {
    left -= chunk.length;
    if (left === 0) break;
  }
  // 0.3 s each way, of which timers may be early by a little.
  expect(performance.now() - startedAt).toBeGreaterThan(290);
});

test('a caller is dropped when nobody listens behind the proxy', async () => {
  const nowhere = await startTcpProxy(1);
  const caller = connect(nowhere.port, '127.0.0.1');
  callers.push(caller);
  expect(await endOf(caller)).toMatch(/^end$|^ECONNRESET$/);
  await nowhere.close();
});
