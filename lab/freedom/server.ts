import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import type { Version } from './answer.ts';
import { type Character, drawCharacter, type Random } from './character.ts';
import { createRequestReader, type FreeRequest } from './request-reader.ts';
import { type FreeResponse, respond } from './respond.ts';

/** A server that uses the freedoms of HTTP, or abuses them. */
export interface FreeServer {
  readonly url: string;
  readonly character: Character;
  /** The requests so far. */
  readonly requests: readonly FreeRequest[];
  /** The file that a store has now. */
  readonly stored: Buffer | undefined;
  close(): Promise<void>;
}

/** Optional parameters of a server. */
export interface FreeServerOptions {
  /** Habits in place of drawn ones. */
  readonly habits?: Partial<Character>;
  /** Whether the server has no file at first, and then the last one that was uploaded and accepted. */
  readonly isStore?: boolean;
  /** Key and certificate. Default: no TLS. */
  readonly secure?: { readonly key: string; readonly cert: string };
}

/**
 * Starts a server for one file on loopback. Its character and its responses depend on `random` alone, except for the
 * order of concurrent requests.
 *
 * @param versions The file, and the one that takes its place if the character changes the file. The versions must
 * differ in size, unless the validators of the server tell them apart.
 */
export async function startFreeServer(
  random: Random,
  versions: readonly [Version, Version],
  { habits = {}, isStore = false, secure }: FreeServerOptions = {},
): Promise<FreeServer> {
  const character = { ...drawCharacter(random), ...habits };
  const requests: FreeRequest[] = [];
  let connections = 0;
  let stored: Version | undefined;

  function responseTo(request: FreeRequest): FreeResponse {
    const version = isStore ? stored : versions[hasChanged(character, request) ? 1 : 0];
    const response = respond(character, random, version, request);
    if (request.hasBody && response.status < 300) request.accepted = true;
    return response;
  }

  /** The sockets below TLS, by the port of the client. */
  const rawSockets = new Map<number | undefined, Socket>();

  function serve(socket: Socket): void {
    connections += 1;
    const connection = connections;
    const raw = rawSockets.get(socket.remotePort) ?? socket;
    let turns = character.start;
    let responding = Promise.resolve();

    /** Sends a response after those before it. */
    function send({ status, bytes, next }: FreeResponse, request: FreeRequest): void {
      request.status = status;
      responding = responding
        .then(() => pass(turns))
        .then(() => {
          turns = 0;
          return play(socket, bytes, character.pauses);
        })
        .then(() => {
          if (next === 'end') socket.end();
          else if (next === 'reset') raw.resetAndDestroy();
        });
    }

    const read = createRequestReader(({ expectsContinue, ...head }) => {
      const request: FreeRequest = { number: requests.length + 1, connection, ...head };
      requests.push(request);
      const isEarly = request.hasBody && character.uploads !== 'after';
      if (isEarly) send(withEarlyEnd(responseTo(request), character), request);
      else if (expectsContinue) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      return (body) => {
        if (request.hasBody) request.body = body;
        if (!isEarly) send(responseTo(request), request);
        if (isStore && request.accepted === true) stored = { bytes: body, number: request.number };
      };
    });
    socket.on('data', read);
  }

  const server = secure === undefined ? createServer({ noDelay: true }, serve) : createSecureServer(secure, serve);
  server.on('connection', (raw: Socket) => {
    const { remotePort } = raw;
    rawSockets.set(remotePort, raw);
    raw.on('close', () => rawSockets.delete(remotePort));
    raw.on('error', () => undefined);
  });
  server.on('secureConnection', (socket: Socket) => void socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: secure === undefined ? `http://127.0.0.1:${port}/file` : `https://127.0.0.1:${port}/file`,
    character,
    requests,
    get stored() {
      return stored?.bytes;
    },
    async close() {
      for (const socket of rawSockets.values()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function withEarlyEnd(response: FreeResponse, { uploads }: Character): FreeResponse {
  const next = response.next === 'keep' && uploads !== 'after' ? uploads : response.next;
  return { ...response, next };
}

/**
 * Whether a request leads to the other version of the file. Nothing in a part without a validator and without the total
 * would tell, so that such a file does not change.
 */
function hasChanged(
  { changesAt, hasOldBackend, validator, total }: Character,
  { number, connection, target }: FreeRequest,
): boolean {
  const hasValidators = validator !== 'none' && validator !== 'sometimes';
  const hasTotal = total === 'known' && !target.includes('range=');
  const isOther = number >= changesAt || (hasOldBackend && connection % 2 === 0);
  return isOther && (hasValidators || hasTotal);
}

/** Sends a response, in pieces with pauses between them if there are any. */
async function play(socket: Socket, bytes: Buffer, pauses: number): Promise<void> {
  const piece = pauses === 0 ? bytes.length : Math.ceil(bytes.length / 3);
  for (let at = 0; at < bytes.length && !socket.destroyed; at += piece) {
    await pass(pauses);
    await new Promise<void>((resolve) => socket.write(bytes.subarray(at, at + piece), () => resolve()));
  }
}

/** Waits for a number of event loop turns. */
async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
}
