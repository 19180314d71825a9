import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The sites of the lab, with one text of their responses made very long. */
export interface StretchingSite {
  readonly url: string;
  /** Returns the names of the members with texts in the responses since the last call, in the order of appearance. */
  takeNames(): readonly string[];
  /** From now on, replaces the texts of the members with a name; undefined for the lab's own responses. */
  stretch(change: { readonly name: string; readonly text: string } | undefined): void;
  close(): Promise<void>;
}

/** Number of texts that are replaced in one response, so that it remains within the service's limit of bytes. */
const maxReplaced = 3;
const member = /"(\w{1,60})":"(?:[^"\\]|\\.)*"/g;

/** Starts the sites on loopback. */
export async function startStretchingSite(lab: string): Promise<StretchingSite> {
  const names = new Set<string>();
  let change: { readonly name: string; readonly text: string } | undefined;

  function alter(body: string): string {
    let replaced = 0;
    return body.replace(member, (whole, name: string) => {
      names.add(name);
      if (name !== change?.name || replaced === maxReplaced) return whole;
      replaced += 1;
      return `"${name}":${JSON.stringify(change.text)}`;
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
