import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Visit, visitServers } from '../testing/visit-servers.ts';
import { relayTo, serveFile } from './testing/test-relay.ts';

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Returns the range that a caller requests, if any. */
function drawRange({ random, versions }: Visit): string | undefined {
  if (random() < 0.4) return undefined;
  const size = versions[0].bytes.length;
  const from = Math.floor(random() * size);
  if (random() < 0.2) return `bytes=-${1 + from}`;
  return `bytes=${from}-${random() < 0.4 ? '' : from + Math.floor(random() * (size - from))}`;
}

/** Sends a request as a caller that trusts no more than the framing of the response. */
function send(link: string, method: 'GET' | 'HEAD', range: string | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: IncomingMessage; body: Buffer | undefined }>();
  const headers = range === undefined ? {} : { range };
  const call = request(link, { method, headers, agent: false, signal: AbortSignal.timeout(60_000) }, (head) => {
    const chunks: Buffer[] = [];
    head.on('data', (chunk: Buffer) => chunks.push(chunk));
    head.on('error', () => undefined);
    head.on('close', () => resolve({ head, body: head.complete ? Buffer.concat(chunks) : undefined }));
  });
  call.on('error', reject);
  call.end();
  return promise;
}

/** Returns whether a response contains what it states. */
function isTrue({ versions, isExact, server }: Visit, { statusCode, headers }: IncomingMessage, body: Buffer): boolean {
  const decode = decoders[headers['content-encoding'] ?? ''] ?? ((bytes) => bytes);
  if (statusCode === 200) {
    const { faults } = server.character;
    const isEmptyFault = faults.some((fault) => fault.kind === 'status' && fault.status === 200);
    return isExact(decode(body)) || (body.length === 0 && isEmptyFault);
  }
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '') ?? [];
  return versions.some(({ bytes }) => bytes.subarray(Number(first), Number(last) + 1).equals(body));
}

/** Returns the code of an error. */
function codeOf(body: Buffer): string {
  const { error } = JSON.parse(body.toString()) as { error?: { code?: string } };
  if (error?.code === undefined) throw new Error(`an error without a code: ${body}`);
  return error.code;
}

test('a relayed file from any server is what the response states, or the response fails', async () => {
  const { link } = await relayTo(serveFile);
  const visit = async (visit: Visit): Promise<string> => {
    const { random, server } = visit;
    const outcomes: string[] = [];
    for (let requests = 0; requests < 3; requests += 1) {
      const method = random() < 0.2 ? 'HEAD' : 'GET';
      const { head, body } = await send(link({ url: server.url }), method, drawRange(visit));
      const { statusCode = 0 } = head;
      if (body === undefined) outcomes.push('broken');
      else if (statusCode === 416 || method === 'HEAD') outcomes.push(`${method} ${statusCode}`);
      else if (statusCode >= 400) outcomes.push(codeOf(body));
      else if (isTrue(visit, head, body)) outcomes.push('exact');
      else throw new Error(`${body.length} wrong bytes for ${statusCode} ${JSON.stringify(head.headers)}`);
    }
    return outcomes.includes('exact') ? 'exact' : outcomes.join(' ');
  };
  const servers = 150;
  const outcomes = await visitServers({ servers, mayKeepSize: true }, visit);
  expect(outcomes.exact).toBeGreaterThan(servers / 6);
});
