import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Visit, visitServers } from '../../../../src/testing/visit-servers.ts';
import { createClient } from '../client.ts';
import { MillraceApiError, MillraceNetworkError } from '../errors.ts';
import { createTransport } from '../http/transport.ts';
import { useClock, withoutPauses } from '../testing/without-pauses.ts';

/** Longer than all pauses together: only the server ends a request. */
const NEVER_MS = 2 ** 31 - 1;

beforeEach(useClock);
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the fault, or the status of a response. Throws any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof MillraceNetworkError) return error.fault;
  if (error instanceof MillraceApiError) return `status ${error.statusCode}`;
  throw error;
}

/** Downloads the file, or the rest of it. */
async function downloadFrom({ random, versions, server, isExact }: Visit): Promise<string> {
  const client = createClient({ url: server.url });
  const [{ bytes }] = versions;
  const size = random() < 0.5 ? bytes.length : undefined;
  const tag = server.character.validator === 'strong' ? '"1"' : undefined;
  const from = random() < 0.3 && (tag ?? size) !== undefined ? Math.floor(random() * bytes.length) : 0;
  const options = { from, tag: from === 0 ? undefined : tag, idleTimeout: NEVER_MS, reconnects: 4 };
  const file = size === undefined ? { url: server.url } : { url: server.url, size };
  const chunks: Uint8Array[] = [bytes.subarray(0, from)];
  const read = async () => {
    for await (const chunk of client.renders.download(file, options)) chunks.push(chunk);
  };
  try {
    await withoutPauses(read());
  } catch (error) {
    return reasonOf(error);
  }
  const found = Buffer.concat(chunks);
  if (!isExact(found) && !isEmptyFault(server, found)) throw new Error(`${found.length} wrong bytes`);
  return 'exact';
}

/** Whether the server sent an empty body with status 200 in place of the file. */
function isEmptyFault({ character }: Visit['server'], body: Buffer): boolean {
  return body.length === 0 && character.faults.some((fault) => fault.kind === 'status' && fault.status === 200);
}

/** Sends a call whose response is the file. */
async function callFrom({ versions, server }: Visit): Promise<string> {
  const transport = createTransport({ fetch, onResponse: undefined, signal: undefined, timeout: NEVER_MS, retries: 2 });
  try {
    const call = transport.json({ method: 'GET', url: new URL(server.url), idempotent: true });
    const value = await withoutPauses(call);
    expect(versions.map(({ bytes }) => JSON.parse(bytes.toString()))).toContainEqual(value);
    return 'exact';
  } catch (error) {
    return reasonOf(error);
  }
}

function jsonVersions(random: () => number): readonly [Buffer, Buffer] {
  const metadata = { text: 'é'.repeat(Math.floor(random() ** 2 * 20_000)) };
  const textOf = (version: string) => Buffer.from(JSON.stringify({ error: null, metadata: { ...metadata, version } }));
  return [textOf('first'), textOf('second one')];
}

test('a download from any server is exact, or its error names the reason', async () => {
  const servers = 150;
  const outcomes = await visitServers({ servers }, downloadFrom);
  expect(outcomes.exact).toBeGreaterThan(servers / 9);
});

test('a call to any server returns the value that it sent, or an error that names the reason', async () => {
  const servers = 60;
  const outcomes = await visitServers({ servers, versions: jsonVersions }, callFrom);
  expect(outcomes.exact).toBeGreaterThan(servers / 9);
});
