import type { OnReadOpts, Socket } from 'node:net';
import { errors } from 'undici';
import { isTurnOver, nextSlice } from '../../waiting/steps.ts';
import { type ResponseHandler, ResponseReader } from './response-reader.ts';

/** Maximum bytes of one read, for all connections. It is about what a socket buffers, and fits in a core's cache. */
const READ_BYTES = 256 * 1024;
const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);

const readers = new WeakMap<object, (bytes: Buffer) => boolean>();

/**
 * Makes sockets read into one shared buffer of the process and deliver the bytes in the same call. Otherwise Node
 * allocates 64 KiB for each read, which took half of the processor time of a download (measured 2026-11-23).
 */
export const sharedReadBuffer: OnReadOpts = {
  buffer: readBuffer,
  // Node calls it as a method of the socket.
  callback(this: unknown, bytes: number) {
    return readers.get(Object(this))?.(readBuffer.subarray(0, bytes)) ?? false;
  },
};

/** Receives the response to a request, or the error. */
interface ExchangeHandler extends ResponseHandler {
  error(error: unknown): void;
}

/** A connection that carries one exchange at a time. */
export class BulkConnection {
  readonly #socket: Socket;
  #exchange: { readonly reader: ResponseReader; readonly handler: ExchangeHandler } | undefined;
  /** Bytes that arrived while paused, because TLS delivers what it has already decrypted, or in a turn that was over. */
  #waiting: Buffer[] = [];
  #paused = false;
  /** Whether the next bytes wait for a slice: reading many short chunks must not delay everything else. */
  #yielding = false;
  /** Set when no more bytes will arrive: with the error, if the connection did not end properly. */
  #ended: { readonly error: Error | undefined } | undefined;

  /** @param onClosed - called when the connection can carry no more exchanges. */
  constructor(socket: Socket, onClosed: () => void) {
    this.#socket = socket;
    readers.set(socket, (bytes) => this.#receive(bytes));
    // Sockets that go through a proxy do not read into the shared buffer.
    socket.on('data', (bytes: Buffer) => this.#receive(bytes) || socket.pause());
    socket.on('end', () => this.#end(undefined));
    socket.on('error', (error) => this.#end(error));
    socket.on('timeout', () => socket.destroy());
    socket.on('close', () => {
      this.#end(new errors.SocketError('other side closed'));
      onClosed();
    });
  }

  /** Whether the connection is open and idle. */
  get isUsable(): boolean {
    return this.#exchange === undefined && this.#ended === undefined && !this.isBehind && !this.#socket.destroyed;
  }

  /** Whether bytes have arrived that are still to be read. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  get #isHeld(): boolean {
    return this.#paused || this.#yielding;
  }

  /** Sends a request. `handler` receives the response until it is complete or has failed. */
  send(request: string, handler: ExchangeHandler): void {
    this.#socket.setTimeout(0);
    this.#socket.ref();
    this.#exchange = { reader: new ResponseReader(handler), handler };
    // A tunnel hands its socket over in the paused state.
    this.#socket.resume();
    this.#socket.write(request, 'latin1');
  }

  /** Pauses delivery until {@link resume}. Call it from the handler's `body`, which then returns false. */
  pause(): void {
    this.#paused = true;
  }

  /** Resumes delivery. */
  resume(): void {
    this.#paused = false;
    this.#drain();
    if (!this.#isHeld && !this.#socket.destroyed) this.#socket.resume();
  }

  /** Ends the exchange. The connection closes after this many milliseconds without another exchange. */
  setIdle(milliseconds: number): void {
    this.#exchange = undefined;
    this.#paused = false;
    this.#drain();
    if (this.#socket.destroyed) return;
    this.#socket.resume();
    this.#socket.setTimeout(milliseconds);
    this.#socket.unref();
  }

  /** Closes the connection and passes `error`, if given, to the handler. */
  destroy(error?: Error): void {
    if (error !== undefined) this.#fail(error);
    this.#exchange = undefined;
    this.#waiting = [];
    this.#socket.destroy();
  }

  /** Returns whether to continue reading. */
  #receive(bytes: Buffer): boolean {
    if (this.#isHeld || isTurnOver()) {
      this.#waiting.push(Buffer.from(bytes));
      this.#yield();
    } else this.#read(bytes);
    return !this.#isHeld;
  }

  /** Leaves the waiting bytes to a later turn, if nothing else holds them. */
  #yield(): void {
    if (this.#isHeld) return;
    this.#yielding = true;
    void nextSlice().then((isOver) => {
      this.#yielding = false;
      this.#drain(isOver);
      if (!this.#isHeld && !this.#socket.destroyed) this.#socket.resume();
    });
  }

  /** Ends the response after the bytes that have arrived, which may still wait. */
  #end(error: Error | undefined): void {
    this.#ended ??= { error };
    this.#drain();
  }

  /** Reads waiting bytes until they are held. Reads some even if the turn is over, so that each call is a progress. */
  #drain(isOver: () => boolean = isTurnOver): void {
    while (!this.#isHeld && this.isBehind) {
      this.#read(this.#waiting.shift() ?? Buffer.alloc(0));
      if (this.isBehind && isOver()) this.#yield();
    }
    if (this.#isHeld || this.#ended === undefined) return;
    const { error } = this.#ended;
    try {
      const reader = this.#exchange?.reader;
      if (error !== undefined && reader?.ended === false) throw error;
      reader?.close();
    } catch (failure) {
      this.#fail(failure);
    }
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    try {
      const rest = this.#exchange?.reader.read(bytes) ?? bytes;
      if (rest.length === 0) return;
      // Bytes that have waited before are not copied again for each short chunk in them.
      if (this.#paused) this.#waiting.unshift(rest.buffer === readBuffer.buffer ? Buffer.from(rest) : rest);
      // These bytes are the rest of an abandoned response, or belong to no request.
      else this.#socket.destroy();
    } catch (error) {
      this.#fail(error);
      this.#socket.destroy();
    }
  }

  #fail(error: unknown): void {
    const handler = this.#exchange?.handler;
    this.#exchange = undefined;
    handler?.error(error);
  }
}
