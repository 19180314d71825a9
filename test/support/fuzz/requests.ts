import fc from 'fast-check';
import type { Contract, DocumentedOperation } from '../contract.ts';
import { bodiesOf } from './bodies.ts';
import { type Conversation, conversationsOf } from './conversations.ts';
import { damagedRequests } from './damage.ts';
import { contentTypes, credentials, fittingHeaders, strangeHeaders } from './headers.ts';
import type { FuzzRequest, Header } from './request.ts';
import { strangeTargets, targetsOf } from './targets.ts';

/** Sources of generated requests. */
export interface Subject {
  /** Address of the service. */
  readonly origin: string;
  readonly contract: Contract;
  /** Headers that authenticate a request at every route. */
  readonly credentials: readonly Header[];
  /** Targets issued by the service, by the path of their operation. */
  readonly knownTargets: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns the generator of requests. The same seed and number always give the same request, except for the sealed
 * texts, which differ each time that the service issues them.
 */
export function createRequests(subject: Subject): (seed: number, number: number) => FuzzRequest {
  const { requests } = arbitraries(subject);
  return (seed, number) => sample(requests, seed, number);
}

/** Returns the generator of conversations, which are as repeatable as the requests of {@link createRequests}. */
export function createConversations(subject: Subject): (seed: number, number: number) => Conversation {
  const { requests, documented } = arbitraries(subject);
  const conversations = conversationsOf(requests, documented);
  return (seed, number) => sample(conversations, seed, number);
}

function sample<Value>(arbitrary: fc.Arbitrary<Value>, seed: number, number: number): Value {
  const [value] = fc.sample(arbitrary, { seed: mix(seed, number), numRuns: 1 });
  if (value === undefined) throw new Error('fast-check generated nothing');
  return value;
}

/** Returns the requests of the document, and all requests, strange and damaged ones included. */
function arbitraries(subject: Subject) {
  const { contract, knownTargets: known } = subject;
  const links = [...known].flatMap(([path, targets]) =>
    path.startsWith('/api/v1/render/execute') ? targets.map((target) => subject.origin + target) : [],
  );
  const documented = fc.oneof(
    ...contract.operations.map((operation) => {
      const targets = targetsOf(operation, known.get(operation.path) ?? []);
      const bodies = bodyOf(subject, operation, links);
      const arbitrary = build(subject, methodsOf(operation), targets, fittingHeaders(operation), bodies);
      // A body has more possible faults than a query.
      return { weight: operation.requestBody === undefined ? 1 : 3, arbitrary };
    }),
  );
  const strange = build(
    subject,
    fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE'),
    strangeTargets,
    strangeHeaders,
    noBody,
  );
  const requests = fc.oneof(
    { weight: 30, arbitrary: documented },
    { weight: 1, arbitrary: strange },
    { weight: 1, arbitrary: damagedRequests(documented) },
  );
  return { documented, requests };
}

const otherMethods = ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'BREW', 'QUERY', 'get', 'GET/', '\u0000'];

function methodsOf({ method }: DocumentedOperation): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant(method) },
    { weight: 2, arbitrary: fc.constantFrom('HEAD', 'OPTIONS') },
    { weight: 1, arbitrary: fc.constantFrom(...otherMethods) },
  );
}

const noBody: fc.Arbitrary<Buffer | undefined> = fc.constant(undefined);

/** Generates the body of an operation, and sometimes one where none is expected. */
function bodyOf({ contract }: Subject, operation: DocumentedOperation, links: readonly string[]) {
  if (operation.requestBody !== undefined) return bodiesOf(contract, operation, links);
  // These bodies are small, because a server may close the connection before it has read an unexpected body (RFC 9112
  // §9.6).
  const some = fc.constantFrom('{}', 'x', '', '{"id":1}', ' '.repeat(3_000)).map((text) => Buffer.from(text));
  return fc.oneof({ weight: 20, arbitrary: noBody }, { weight: 1, arbitrary: some });
}

function build(
  { origin, credentials: sound }: Subject,
  methods: fc.Arbitrary<string>,
  targets: fc.Arbitrary<string>,
  more: fc.Arbitrary<readonly Header[]>,
  bodies: fc.Arbitrary<Buffer | undefined>,
): fc.Arbitrary<FuzzRequest> {
  const common = [
    ['Host', new URL(origin).host],
    ['Connection', 'close'],
  ] as const;
  return fc
    .tuple(methods, targets, credentials(sound), more, contentTypes, bodies, framings)
    .map(([method, target, own, others, types, body, framing]) => {
      const headers = [...common, ...own, ...others];
      if (body === undefined) return { method, target, headers, body: Buffer.alloc(0) };
      const frame = framing(body);
      return { method, target, headers: [...headers, ...types, frame.header], body: frame.body };
    });
}

interface Frame {
  readonly header: Header;
  readonly body: Buffer;
}

/** Framings of a body: mostly by its length, or in chunks. */
const framings: fc.Arbitrary<(body: Buffer) => Frame> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constant((body: Buffer): Frame => ({ header: ['Content-Length', `${body.length}`], body })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 100_000 }).map((size) => (body: Buffer) => inChunks(body, size)) },
);

function inChunks(body: Buffer, size: number): Frame {
  const pieces: Buffer[] = [];
  const length = Math.max(size, Math.ceil(body.length / 50));
  for (let at = 0; at < body.length; at += length) {
    const piece = body.subarray(at, at + length);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return { header: ['Transfer-Encoding', 'chunked'], body: Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]) };
}

/** Returns a seed for one request, whose bits all depend on both numbers (the finalizer of MurmurHash3). */
function mix(seed: number, number: number): number {
  let hash = Math.imul(seed ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
