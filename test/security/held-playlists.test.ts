import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { canMeasureStalls, MAX_STALL_MS, measureStall } from '../support/loop-stall.ts';
import { peakMemory } from '../support/peak-memory.ts';
import {
  type PlaylistSource,
  playlistQuery,
  playlistSettings,
  startPlaylistSource,
  worstPlaylist,
} from '../support/playlist-source.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { holdSocket } from '../support/raw-request.ts';

/*
 * Playlists of a hostile source, which become many times as long with relay links.
 */

const MOST_MEMORY_MB = 150;
const RELAYS = 30;
const attacker = '127.0.0.2';
const user = '127.0.0.3';

const sockets: Socket[] = [];
const open: (() => unknown)[] = [];
afterEach(async () => {
  closeAll();
  for (const close of open.splice(0).reverse()) await close();
});

interface Relay {
  readonly service: RunningProcess;
  readonly source: PlaylistSource;
  /** Path of the relay link. */
  readonly path: string;
}

async function startRelay(settings: Record<string, string> = {}): Promise<Relay> {
  const source = await startPlaylistSource(inject('labUrl'));
  open.push(source.close);
  const folder = await temporaryFolder();
  open.push(folder.delete);
  // All other loopback addresses are then ordinary clients.
  const all = { ...playlistSettings, TRUSTED_PROXIES: '127.0.0.99', ...settings };
  const service = await startService(source.url, folder.path, all);
  open.push(service.kill);
  const { body } = await extract<Result>(service.url + playlistQuery);
  const link = body.contents?.[0]?.videos?.[0]?.url ?? '';
  // Code that the first playlist loads and compiles is not part of the cost of a hostile one.
  const first = await fetch(link);
  const text = await first.text();
  expect(first.status, text).toBe(200);
  return { service, source, path: new URL(link).pathname };
}

/** Requests the playlist over a connection that reads the first bytes only. Returns its status. */
async function hold({ service, path }: Relay, client: string): Promise<string> {
  const { socket, received } = await holdSocket(service.url, client, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  sockets.push(socket);
  if (received() === '') await once(socket, 'data');
  socket.pause();
  return received().slice(9, 12);
}

function closeAll(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

describe('relayed playlists that nobody reads', () => {
  test('are refused beyond the memory of the client, until some end', async () => {
    const relay = await startRelay({ CLIENT_MEMORY: '64' });
    relay.source.send(worstPlaylist());
    expect(await hold(relay, attacker)).toBe('200');
    expect(await hold(relay, attacker)).toBe('429');
    expect(await hold(relay, user)).toBe('200');
    closeAll();
    await expect.poll(() => hold(relay, attacker)).toBe('200');
  });

  test.skipIf(!canMeasureStalls)(
    'take little memory and delay no other request, however many there are (needs /proc)',
    { tags: ['long'] },
    async () => {
      const relay = await startRelay();
      relay.source.send(gzipSync(worstPlaylist()), { 'content-encoding': 'gzip' });
      let growth = 0;
      const stall = await measureStall(relay.service, async () => {
        growth = await peakMemory(relay.service, async () => {
          const statuses = await Promise.all(Array.from({ length: RELAYS }, () => hold(relay, attacker)));
          expect(new Set(statuses)).toEqual(new Set(['200', '429']));
        });
        closeAll();
      });
      expect(stall.failures).toEqual([]);
      expect(stall.processor).toBeLessThanOrEqual(MAX_STALL_MS);
      expect(growth).toBeLessThanOrEqual(MOST_MEMORY_MB);
    },
  );
});
