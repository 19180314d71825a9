import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from './proxy.ts';

/** Server that returns all received bytes, and the connections to it. */
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

/** Opens a connection and exchanges bytes over it. */
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

/** Returns how a connection ends: `end`, or the code of its error. */
function endOf(socket: Socket): Promise<string> {
  return once(socket.resume(), 'end').then(
    () => 'end',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

test('open passes on bytes and the end of a connection', async () => {
  const caller = await established();
  caller.end();
  expect(await endOf(caller)).toBe('end');
});

test('blackHole keeps and accepts connections without passing on bytes; open then resets them', async () => {
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

test('halfOpen at the target leaves the caller without an event, and new connections work', async () => {
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

test("halfOpen at the caller leaves the target's connection open", async () => {
  const caller = await established();
  proxy.halfOpen('caller');
  expect(await endOf(caller)).toMatch(/^end$|^ECONNRESET$/);
  await established();
  expect(accepted[0]).toMatchObject({ destroyed: false, readableEnded: false });
});

test('cut resets connections at both ends, and new connections work', async () => {
  const caller = await established();
  const [server] = accepted;
  if (server === undefined) throw new Error('nobody has called');
  const ends = [endOf(server), endOf(caller)];
  proxy.cut();
  expect(await Promise.all(ends)).toEqual(['ECONNRESET', 'ECONNRESET']);
  await established();
});

test('refuse resets new connections, and existing ones keep working', async () => {
  const caller = await established();
  proxy.refuse();
  expect(await endOf(call())).toBe('ECONNRESET');
  expect(await answerTo(caller, 'still here')).toBe('still here');
  proxy.open();
  await established();
});

test('slow limits a connection to its rate', async () => {
  const caller = await established();
  proxy.slow(100_000);
  const startedAt = performance.now();
  let left = 30_000;
  caller.write(Buffer.alloc(left));
  for await (const chunk of caller as AsyncIterable<Buffer>) {
    left -= chunk.length;
    if (left === 0) break;
  }
  // Each direction takes 0.3 s; timers may fire slightly early.
  expect(performance.now() - startedAt).toBeGreaterThan(290);
});

test('the caller is disconnected when the target port does not listen', async () => {
  const nowhere = await startTcpProxy(1);
  const caller = connect(nowhere.port, '127.0.0.1');
  callers.push(caller);
  expect(await endOf(caller)).toMatch(/^end$|^ECONNRESET$/);
  await nowhere.close();
});
