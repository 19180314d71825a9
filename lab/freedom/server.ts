import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Character, drawCharacter, type Random } from './character.ts';
import { type FreeRequest, respond, type Version } from './respond.ts';

/** A server that uses the freedoms of HTTP, or abuses them. */
export interface FreeServer {
  readonly url: string;
  readonly character: Character;
  /** The requests so far. */
  readonly requests: readonly FreeRequest[];
  close(): Promise<void>;
}

/**
 * Starts a server for one file on loopback. Its character and its responses depend on `random` alone, except for the
 * order of concurrent requests.
 *
 * @param versions The file, and the one that takes its place if the character changes the file. The versions must
 * differ in size, because not every server has validators.
 */
export async function startFreeServer(random: Random, versions: readonly [Version, Version]): Promise<FreeServer> {
  const character = drawCharacter(random);
  const requests: FreeRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    const connection = connections;
    let head = '';
    let responding = Promise.resolve();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes: Buffer) => {
      head += bytes.toString('latin1');
      for (let end = head.indexOf('\r\n\r\n'); end >= 0; end = head.indexOf('\r\n\r\n')) {
        const text = head.slice(0, end);
        head = head.slice(end + 4);
        const request = requestOf(text, requests.length + 1, connection);
        requests.push(request);
        const version = hasChanged(character, request) ? versions[1] : versions[0];
        const response = respond(character, random, version, request);
        responding = responding
          .then(() => play(socket, response.bytes, character.pauses))
          .then(() => {
            if (response.next === 'end') socket.end();
            else if (response.next === 'reset') socket.resetAndDestroy();
          });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`,
    character,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Whether the file is another one by now. Nothing in a part without a validator and without the total would tell, so that
 * such a file does not change.
 */
function hasChanged({ changesAt, validator, total }: Character, { number, target }: FreeRequest): boolean {
  const hasValidators = validator !== 'none' && validator !== 'sometimes';
  const hasTotal = total === 'known' && !target.includes('range=');
  return number >= changesAt && (hasValidators || hasTotal);
}

function requestOf(head: string, number: number, connection: number): FreeRequest {
  const [, target = '/'] = /^\S+ (\S+) /.exec(head) ?? [];
  const [, range] = /\r\nrange: ([^\r]*)/i.exec(head) ?? [];
  return { number, connection, target, range };
}

/** Sends a response, in pieces with pauses between them if there are any. */
async function play(socket: Socket, bytes: Buffer, pauses: number): Promise<void> {
  const piece = pauses === 0 ? bytes.length : Math.ceil(bytes.length / 3);
  for (let at = 0; at < bytes.length && !socket.destroyed; at += piece) {
    for (let turns = 0; turns < pauses; turns += 1) await new Promise(setImmediate);
    await new Promise<void>((resolve) => socket.write(bytes.subarray(at, at + piece), () => resolve()));
  }
}
