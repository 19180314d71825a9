import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** What is made very long in responses: the texts of the members with a name, or all links. */
export type Stretch =
  | { readonly name: string; readonly text: string }
  /** What each query repeats, and how often each link in a list occurs. The responses are as long as the service reads. */
  | { readonly query: string; readonly copies: number };

/** The sites of the lab, with texts of their responses made very long. */
export interface StretchingSite {
  readonly url: string;
  /** Returns the names of the members with texts in the responses since the last call, in the order of appearance. */
  takeNames(): readonly string[];
  /** From now on, makes texts of responses very long; undefined for the lab's own responses. */
  stretch(change: Stretch | undefined): void;
  close(): Promise<void>;
}

/** Number of texts that are replaced in one response, so that it remains within the service's limit of bytes. */
const maxReplaced = 3;
const member = /"(\w{1,60})":"(?:[^"\\]|\\.)*"/g;

/** Largest body that the service reads, and longest link. */
const maxBytes = 4 * 1024 * 1024 - 100;
const maxLink = 65_000;
/** Links, also in JSON that is the text of a member, and list entries that are or contain one. */
const link = /"https?:(?:[^"\\]|\\[^"])*/g;
const entryWithLink = /(?<=[[,])(?:\{[^{}]*"https?:[^{}]*\}|"https?:[^"]*")(?=[,\]])/g;

/** Gives the links in a response queries that are as long as fits. */
function lengthenLinks(body: string, { query, copies }: Extract<Stretch, { query: string }>): string {
  let length = body.length;
  const copied = body.replace(entryWithLink, (entry) => {
    const isRepeated = length + copies * entry.length < maxBytes / 2;
    if (isRepeated) length += copies * entry.length;
    return isRepeated
      ? Array(copies + 1)
          .fill(entry)
          .join(',')
      : entry;
  });
  const count = copied.match(link)?.length ?? 0;
  const added = Math.min(maxLink, (maxBytes - Buffer.byteLength(copied)) / count - 1);
  const more = query.repeat(Math.floor(added / query.length));
  return copied.replace(link, (each) => `${each}${each.includes('?') ? '&' : '?'}${more}`);
}

/** Starts the sites on loopback. */
export async function startStretchingSite(lab: string): Promise<StretchingSite> {
  const names = new Set<string>();
  let change: Stretch | undefined;

  function alter(body: string): string {
    if (change !== undefined && 'query' in change) return lengthenLinks(body, change);
    const stretched = change;
    let replaced = 0;
    return body.replace(member, (whole, name: string) => {
      names.add(name);
      if (name !== stretched?.name || replaced === maxReplaced) return whole;
      replaced += 1;
      return `"${name}":${JSON.stringify(stretched.text)}`;
    });
  }

  const server = createServer((incoming, answer) => {
    const { method, url, headers } = incoming;
    const { hostname, port } = new URL(lab);
    const outgoing = request({ hostname, port, method, path: url, headers }, async (response) => {
      const { 'content-encoding': encoding, 'content-length': _length, ...rest } = response.headers;
      const body = await buffer(response);
      const plain = encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body;
      const isText = /json|html|javascript|text/.test(rest['content-type'] ?? '');
      delete rest['transfer-encoding'];
      answer.writeHead(response.statusCode ?? 502, rest).end(isText ? alter(plain.toString()) : plain);
    });
    outgoing.on('error', (error) => answer.destroy(error));
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeNames() {
      const taken = [...names];
      names.clear();
      return taken;
    },
    stretch(next) {
      change = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
