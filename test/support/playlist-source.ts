import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Largest playlist in bytes that is relayed, and its highest number of links. */
export const maxPlaylistBytes = 4 * 1024 * 1024;
export const mostLinks = 25_000;

/** Settings of a service whose videos are HLS streams. */
export const playlistSettings = { P1_CLIENTS: JSON.stringify({ mediaOrder: ['VISIONOS_HLS'] }) };
/** The path that returns a relay link of a playlist with these settings. */
export const playlistQuery = '/p1/v3/video/details?videoId=lab-plain30&urlAccess=proxied';

/** Returns a media playlist with some lines, or with segments of one address. */
export const mediaPlaylist = (lines: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${lines}#EXT-X-ENDLIST\n`;
export const segmentLines = (count: number, uri: string) => `#EXTINF:2,\n${uri}\n`.repeat(count);
/** A playlist with the most links, almost as long as is relayed. */
export const worstPlaylist = () => mediaPlaylist(segmentLines(mostLinks, 'x'.repeat(150)));

/** A host that sends what the lab sends, until it is given a hostile playlist. */
export interface PlaylistSource {
  readonly url: string;
  /** Sends this instead of every response. */
  send(playlist: string | Buffer, headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

/** Starts a source of hostile playlists before a lab. */
export async function startPlaylistSource(lab: string): Promise<PlaylistSource> {
  let hostile: { readonly playlist: string | Buffer; readonly headers: Readonly<Record<string, string>> } | undefined;
  const server = createServer((incoming, response) => {
    if (hostile !== undefined) {
      const { playlist, headers } = hostile;
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl', ...headers }).end(playlist);
      return;
    }
    const { method, headers } = incoming;
    const outgoing = forward(`${lab}${incoming.url}`, {
      ...(method === undefined ? {} : { method }),
      headers,
      agent: false,
    });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send(playlist, headers = {}) {
      hostile = { playlist, headers };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
