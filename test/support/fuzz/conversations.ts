import fc from 'fast-check';
import { bytesOf, type FuzzRequest, type Header } from './request.ts';

/** Bytes that a client sends at once. */
export interface Piece {
  readonly bytes: Buffer;
  /** Whether the client sends them only after a response has begun, such as 100 Continue. */
  readonly awaitsResponse: boolean;
}

/** What one connection carries. */
export interface Conversation {
  /** Requests in order. The last one may be incomplete, and is then damaged. */
  readonly requests: readonly FuzzRequest[];
  readonly pieces: readonly Piece[];
  /** Whether the client closes its side after the last byte, so that the server may close the connection at once. */
  readonly halfClose: boolean;
}

/**
 * Generates the use of connections: mostly one request, and sometimes several without waiting for their responses
 * (pipelining), cut at any bytes, with upgrades and expectations, or ended by the client at any byte.
 *
 * @param all Requests, damaged ones included.
 * @param sound Requests that are complete.
 */
export function conversationsOf(
  all: fc.Arbitrary<FuzzRequest>,
  sound: fc.Arbitrary<FuzzRequest>,
): fc.Arbitrary<Conversation> {
  return fc.oneof(
    { weight: 10, arbitrary: all.map(alone) },
    { weight: 3, arbitrary: pipelines(fc.oneof({ weight: 3, arbitrary: sound }, upgrading(sound))) },
    { weight: 1, arbitrary: expecting(sound) },
    { weight: 1, arbitrary: ending(sound) },
  );
}

function alone(request: FuzzRequest): Conversation {
  return { requests: [request], pieces: [pieceOf(bytesOf(request))], halfClose: request.damaged !== undefined };
}

function pieceOf(bytes: Buffer, awaitsResponse = false): Piece {
  return { bytes, awaitsResponse };
}

/** Generates several requests on one connection, which closes after the last one. */
function pipelines(sound: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<Conversation> {
  return fc.array(sound, { minLength: 1, maxLength: 5 }).chain((some) => {
    const requests = some.map((request, at) => (at === some.length - 1 ? request : persistent(request)));
    return cut(Buffer.concat(requests.map(bytesOf))).map((pieces) => ({ requests, pieces, halfClose: false }));
  });
}

/** Generates requests after which, or in the middle of which, the client closes its side. */
function ending(sound: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<Conversation> {
  return fc.array(sound, { minLength: 1, maxLength: 3 }).chain((some) => {
    const requests = some.map(persistent);
    const all = Buffer.concat(requests.map(bytesOf));
    const lengths = fc.oneof(fc.constant(all.length), fc.nat(all.length));
    return lengths.chain((length) =>
      cut(all.subarray(0, length)).map((pieces) => ({
        requests: within(requests, length),
        pieces,
        halfClose: true,
      })),
    );
  });
}

/** Returns the requests that begin within a number of bytes; one that ends later is damaged. */
function within(requests: readonly FuzzRequest[], length: number): readonly FuzzRequest[] {
  let begin = 0;
  return requests.flatMap((request) => {
    const bytes = bytesOf(request);
    const left = length - begin;
    begin += bytes.length;
    if (left <= 0) return [];
    return left < bytes.length ? [{ ...request, damaged: bytes.subarray(0, left) }] : [request];
  });
}

/** Generates requests that expect an interim response, whose body is sent early, or only after it (RFC 9110 §10.1.1). */
function expecting(sound: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<Conversation> {
  const expectations = fc.constantFrom('100-continue', '100-Continue', '100-continue, x', 'x', '');
  return fc.tuple(sound, expectations, fc.boolean()).map(([request, expectation, withheld]) => {
    const expectant = withHeaders(request, [['Expect', expectation]]);
    const bytes = bytesOf(expectant);
    const head = pieceOf(bytes.subarray(0, bytes.length - request.body.length));
    // Without the expectation that servers know, none promises an interim response.
    const waits = withheld && request.body.length > 0 && /^100-continue$/i.test(expectation);
    return { requests: [expectant], pieces: [head, pieceOf(request.body, waits)], halfClose: false };
  });
}

/** Generates requests that ask for another protocol, with and without a body (RFC 9110 §7.8). */
function upgrading(sound: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest> {
  const upgrades = fc.constantFrom<readonly Header[]>(
    [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ['Sec-WebSocket-Version', '13'],
    ],
    [
      ['Connection', 'Upgrade, HTTP2-Settings'],
      ['Upgrade', 'h2c'],
      ['HTTP2-Settings', 'AAMAAABkAAQAoAAAAAIAAAAA'],
    ],
    [
      ['Connection', 'upgrade'],
      ['Upgrade', 'TLS/1.0, HTTP/2.0'],
    ],
  );
  return fc.tuple(sound, upgrades).map(([request, headers]) => withHeaders(request, headers));
}

function withHeaders(request: FuzzRequest, headers: readonly Header[]): FuzzRequest {
  return { ...request, headers: [...request.headers, ...headers] };
}

/** Returns a request after which the connection stays open. */
function persistent(request: FuzzRequest): FuzzRequest {
  const headers = request.headers.filter(([name, value]) => name !== 'Connection' || value !== 'close');
  return { ...request, headers };
}

/** Cuts bytes at up to three places. */
function cut(bytes: Buffer): fc.Arbitrary<readonly Piece[]> {
  return fc.array(fc.nat(bytes.length), { maxLength: 3 }).map((places) => {
    const bounds = [0, ...places.toSorted((one, other) => one - other), bytes.length];
    return bounds.slice(1).map((end, at) => pieceOf(bytes.subarray(bounds[at], end)));
  });
}
