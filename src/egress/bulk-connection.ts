import type { OnReadOpts, Socket } from 'node:net';
import { errors } from 'undici';
import { ResponseReader, type ResponseTaker } from './response-reader.ts';

/** What one read takes at most, of all connections: sockets hold about as much, and it fits in a core's cache. */
const READ_BYTES = 256 * 1024;
const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);

const readers = new WeakMap<object, (bytes: Buffer) => boolean>();

/**
 * Has sockets read into one buffer of the process, and hand the bytes on in the same call. Otherwise Node allocates 64 KiB
 * for each read, which took half of the processor time of a download (measured 2026-11-23).
 */
export const sharedBuffer: OnReadOpts = {
  buffer: readBuffer,
  // Node calls it as a method of the socket.
  callback(this: unknown, bytes: number) {
    return readers.get(Object(this))?.(readBuffer.subarray(0, bytes)) ?? false;
  },
};

/** Takes the response to a request, or learns why there is none. */
export interface ExchangeTaker extends ResponseTaker {
  failed(error: unknown): void;
}

/** A connection that carries one exchange at a time. */
export class Connection {
  readonly #socket: Socket;
  #exchange: { readonly reader: ResponseReader; readonly taker: ExchangeTaker } | undefined;
  /** Bytes that arrived while the taker waits: TLS hands on what it has decrypted. */
  #waiting: Buffer[] = [];
  #held = false;
  #ended = false;

  /** @param onClosed - called when it can carry nothing any more. */
  constructor(socket: Socket, onClosed: () => void) {
    this.#socket = socket;
    readers.set(socket, (bytes) => this.#receive(bytes));
    // Sockets that lead through a proxy do not read into the shared buffer.
    socket.on('data', (bytes: Buffer) => this.#receive(bytes) || socket.pause());
    socket.on('end', () => {
      this.#ended = true;
      this.#goOn();
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('timeout', () => socket.destroy());
    socket.on('close', () => {
      this.#fail(new errors.SocketError('other side closed'));
      onClosed();
    });
  }

  /** Whether it is open and has nothing under way. */
  get usable(): boolean {
    return this.#exchange === undefined && !this.#ended && !this.#socket.destroyed;
  }

  /** Sends a request. `taker` takes the response, until it is complete or has failed. */
  begin(request: string, taker: ExchangeTaker): void {
    this.#socket.setTimeout(0);
    this.#socket.ref();
    this.#exchange = { reader: new ResponseReader(taker), taker };
    // A tunnel hands its socket over paused.
    this.#socket.resume();
    this.#socket.write(request, 'latin1');
  }

  /** Hands nothing on until {@link resume}; to be called from the taker's `body`, which then returns false. */
  hold(): void {
    this.#held = true;
  }

  /** Hands on what arrives again. */
  resume(): void {
    this.#held = false;
    this.#goOn();
    if (!this.#held && !this.#socket.destroyed) this.#socket.resume();
  }

  /** The exchange is over. The connection closes after so many milliseconds without another. */
  rest(milliseconds: number): void {
    this.#exchange = undefined;
    this.#held = false;
    this.#goOn();
    if (this.#socket.destroyed) return;
    this.#socket.resume();
    this.#socket.setTimeout(milliseconds);
    this.#socket.unref();
  }

  /** Closes it. The taker learns of an `error`, and nothing without one. */
  destroy(error?: Error): void {
    if (error !== undefined) this.#fail(error);
    this.#exchange = undefined;
    this.#waiting = [];
    this.#socket.destroy();
  }

  /** Returns whether to read on. */
  #receive(bytes: Buffer): boolean {
    if (this.#held) this.#waiting.push(Buffer.from(bytes));
    else this.#read(bytes);
    return !this.#held;
  }

  #goOn(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#read(next);
    if (this.#held || !this.#ended) return;
    try {
      this.#exchange?.reader.close();
    } catch (error) {
      this.#fail(error);
    }
    this.#socket.destroy();
  }

  /** The next bytes that waited, if the taker does not. */
  #next(): Buffer | undefined {
    return this.#held || this.#socket.destroyed ? undefined : this.#waiting.shift();
  }

  #read(bytes: Buffer): void {
    try {
      const rest = this.#exchange?.reader.read(bytes) ?? bytes;
      if (rest.length === 0) return;
      if (this.#held) this.#waiting.unshift(Buffer.from(rest));
      // What is left of a response that nobody wants, or what nobody asked for.
      else this.#socket.destroy();
    } catch (error) {
      this.#fail(error);
      this.#socket.destroy();
    }
  }

  #fail(error: unknown): void {
    const taker = this.#exchange?.taker;
    this.#exchange = undefined;
    taker?.failed(error);
  }
}
