import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestMemory } from './client-memory.ts';
import { endSocket } from './end-socket.ts';
import type { FairTurns, TurnTaker } from './fair-turns.ts';
import { createHeadMemory } from './head-memory.ts';
import { createMessageSplitter } from './message-splitter.ts';

/** Bytes that are parsed in one step, in two milliseconds at most: each chunk of one byte takes 3 µs (Node 26.10). */
const STEP_BYTES = 4 * 1024;
/** How much of a body is read after the response. A longer one is not worth keeping the connection open for. */
export const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Passes bytes of a connection to the HTTP parser. */
type Parse = (bytes: Buffer) => void;

interface SerialConnection {
  /** Called when the head of a request has arrived. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Leaves all further bytes to another protocol. */
  release(): void;
}

/** When the bytes of a connection are parsed, and how many its heads may hold. */
interface Sharing {
  /** Returns the current client of a connection, which shares the time of the event loop with the others. */
  readonly clientOf: (socket: Socket) => TurnTaker;
  readonly turns: FairTurns;
  /** Begins to count what the heads of a connection hold for its client. */
  readonly openMemory: (socket: Socket) => RequestMemory;
}

/**
 * Makes a server handle the requests of each connection one after the other. A client may send requests before it has
 * the response to the previous one (pipelining, RFC 9112 §9.3.2). Node would run all that one read returns at once, a
 * few thousand, and keep each response until its turn: one connection could use all memory, time and descriptors.
 *
 * Here, the parser gets the bytes of a request only after the previous response has ended, and only as many in one turn
 * of the event loop as it can parse in a few milliseconds. Until then, the connection is paused. It holds the rest of
 * what one read returned, and what the socket buffers: 64 KiB each. A head counts towards the memory of its client until
 * the response has ended.
 *
 * Call this before the server listens and before anything else handles its upgrades.
 */
export function serveSerially(server: Server, sharing: Sharing): void {
  const connections = new WeakMap<Duplex, SerialConnection>();
  server.on('connection', (socket) => connections.set(socket, takeOver(server, socket, sharing)));
  server.prependListener('request', (request, response) => connections.get(request.socket)?.begin(request, response));
  server.prependListener('upgrade', (_request, socket) => connections.get(socket)?.release());
}

/** Places itself between a connection and its parser. */
function takeOver(server: Server, socket: Socket, { clientOf, turns, openMemory }: Sharing): SerialConnection {
  const parse = takeParser(socket);
  const splitter = createMessageSplitter();
  const memory = openMemory(socket);
  const head = createHeadMemory(memory);
  /** The request whose response has not ended. */
  let current: IncomingMessage | undefined;
  /** A request whose response ended before it had arrived, and how many bytes have arrived since then. */
  let refused: { readonly request: IncomingMessage; bytes: number } | undefined;
  /** Whether the next request has arrived before the end of the response. */
  let isHeld = false;
  let isWaiting = false;
  let hasTurn = false;
  let isReleased = false;
  /** The last bytes since a request whose upgrade was ignored; undefined after other requests. */
  let afterUpgrade: string | undefined;

  function feed(bytes: Buffer): void {
    let rest = bytes;
    // What follows the last response or a malformed request is dropped.
    while (rest.length > 0 && !socket.writableEnded && !socket.destroyed) {
      if (isReleased) {
        socket.unshift(rest);
        return;
      }
      isHeld = current?.complete === true;
      if (isHeld || (!hasTurn && turns.mustWait())) {
        socket.pause();
        socket.unshift(rest);
        if (!isHeld) waitForTurn();
        return;
      }
      hasTurn = false;
      const { isInBody } = splitter;
      const length = splitter.next(rest.subarray(0, STEP_BYTES));
      const error = isInBody ? undefined : head.add(length);
      if (error !== undefined) {
        server.emit('clientError', error, socket);
        return;
      }
      step(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }

  function step(bytes: Buffer): void {
    const upgraded = current === undefined ? afterUpgrade : undefined;
    parse(bytes);
    if (refused?.request.complete === false) {
      refused.bytes += bytes.length;
      if (refused.bytes > MAX_DISCARDED_BYTES) endSocket(socket);
    }
    if (upgraded !== undefined && current === undefined && !isReleased)
      rejectUnparsed(upgraded + bytes.toString('latin1'));
  }

  function waitForTurn(): void {
    if (isWaiting) return;
    isWaiting = true;
    turns.wait(clientOf(socket), () => {
      isWaiting = false;
      hasTurn = true;
      // The bytes are read now, not after this turn as by `resume` alone.
      socket.resume();
      socket.read();
      hasTurn = false;
    });
  }

  /**
   * Rejects a head that began no request. After a request whose upgrade was ignored, Node's parser reports no error: it
   * stops, and the connection would wait for its timeout (Node 26.10, `Parser::Execute` in `src/node_http_parser.cc`).
   */
  function rejectUnparsed(bytes: string): void {
    // Empty lines before a request are allowed (RFC 9112 §2.2).
    afterUpgrade = /[^\r\n]/.test(bytes) ? `x${bytes.slice(-4)}` : '';
    if (!/[^\r\n]\r\n\r\n$/.test(bytes) || socket.writableEnded) return;
    server.emit('clientError', Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CONSTANT' }), socket);
  }

  socket.on('data', feed);
  socket.on('close', () => memory.release());
  return {
    begin(request, response) {
      current = request;
      refused = undefined;
      afterUpgrade = 'upgrade' in request.headers ? '' : undefined;
      splitter.beginBody(request.headers);
      // The event is emitted once; `once` would add the cost of removing the listener to every response.
      response.on('close', () => {
        if (request.complete) head.clear();
        else refused = { request, bytes: 0 };
        if (current === request) current = undefined;
        if (!isHeld) return;
        isHeld = false;
        // Other connections have their turn before the next request of this one.
        waitForTurn();
      });
    },
    release() {
      isReleased = true;
      socket.removeListener('data', feed);
    },
  };
}

/**
 * Returns the listener through which the HTTP server reads a connection, and removes it. Once a connection has another
 * listener, the parser no longer reads it by itself (Node 26.10, `unconsume` in `lib/_http_server.js`).
 */
function takeParser(socket: Socket): Parse {
  const [parse, ...others] = socket.listeners('data');
  if (parse === undefined || others.length > 0) throw new Error('the HTTP server reads connections in an unknown way');
  const listener = parse as Parse;
  socket.removeListener('data', listener);
  return listener;
}
