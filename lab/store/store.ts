import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hang } from '../cdn/body.ts';
import { parseFaults } from '../cdn/faults.ts';
import { createPace } from '../cdn/pace.ts';
import { linkToken, type TokenHistory, type Tokens } from '../cdn/tokens.ts';
import { judge } from '../cdn/verdict.ts';
import { type Exchange, type Handler, sendBytes, sendJson, sendText } from '../http/exchange.ts';

/** Host of the store. */
export const storeHost = 'store.lab.example';

/** Number of uploads that the store lists. */
const MAX_UPLOADS = 100;

/** A file that was uploaded completely. */
interface StoredUpload {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly etag: string;
  readonly contentType: string | null;
}

/** An object store that accepts every PUT, as if its URL were presigned, and keeps only what identifies the file. */
export interface Store {
  /** Handles the uploads, with the faults of their URLs. */
  readonly handle: Handler;
  /** Lists the latest uploads. */
  readonly control: Handler;
}

/** Creates the store. */
export function createStore(tokens: Tokens): Store {
  const uploads: StoredUpload[] = [];
  return {
    control: (exchange) => sendJson(exchange, 200, { uploads }),
    async handle(exchange) {
      const { url, request, disconnected } = exchange;
      if (request.method !== 'PUT') return sendText(exchange, 405, 'The store only accepts PUT.\n', { allow: 'PUT' });
      const faults = parseFaults(url.searchParams);
      const history = tokens.touch(`${linkToken(url)} ${url.pathname}`);
      if (faults.latency !== undefined) await delay(faults.latency, undefined, { signal: disconnected });
      const verdict = judge(faults, { url, range: undefined, number: history.requests, age: history.age });
      if (verdict.do === 'hang') return hang(exchange);
      // Like object stores, it refuses an upload without waiting for its end.
      if (verdict.do === 'refuse') {
        const { status, retryAfter } = verdict;
        const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
        return sendText(exchange, status, `<Error><Code>Refused with ${status}</Code></Error>\n`, headers);
      }
      if (verdict.do === 'redirect') return sendText(exchange, verdict.status, '', { location: verdict.location });
      const upload = await receive(exchange, history);
      if (upload === undefined) return;
      uploads.push(upload);
      if (uploads.length > MAX_UPLOADS) uploads.shift();
      sendBytes(exchange, 200, Buffer.alloc(0), { etag: upload.etag });
    },
  };
}

/** Reads an upload at the pace of its faults; returns undefined if a fault cuts it. */
async function receive(
  { url, request, disconnected }: Exchange,
  history: TokenHistory,
): Promise<StoredUpload | undefined> {
  const { cut, cutOnce, throttle } = parseFaults(url.searchParams);
  const sha256 = createHash('sha256');
  // S3 uses the MD5 of a file that was uploaded in one part as its ETag.
  const md5 = createHash('md5');
  const pace = throttle === undefined ? undefined : createPace(throttle);
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    for (const piece of pace?.pieces(chunk) ?? [chunk]) {
      await pace?.wait(piece.length, disconnected);
      bytes += piece.length;
      sha256.update(piece);
      md5.update(piece);
      const isCut = cut !== undefined && bytes >= cut;
      if (isCut || (cutOnce !== undefined && bytes >= cutOnce && history.first('cutOnce'))) {
        request.socket.destroy();
        return undefined;
      }
    }
  }
  return {
    path: url.pathname,
    bytes,
    sha256: sha256.digest('hex'),
    etag: `"${md5.digest('hex')}"`,
    contentType: request.headers['content-type'] ?? null,
  };
}
