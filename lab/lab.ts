import { setTimeout as delay } from 'node:timers/promises';
import { cdnHandler } from './cdn/cdn.ts';
import { faultTable } from './cdn/faults.ts';
import { hlsMasters, hlsPlaylists, masterVariants } from './cdn/hls-catalogue.ts';
import { hostileFiles } from './cdn/hostile.ts';
import { playlistOptions } from './cdn/playlist.ts';
import { createSender } from './cdn/send.ts';
import { createTokens } from './cdn/tokens.ts';
import type { CdnTools } from './cdn/tools.ts';
import { controlHandler } from './http/control.ts';
import type { Handler } from './http/exchange.ts';
import { handleHosts } from './http/hosts.ts';
import { createJournal } from './http/journal.ts';
import { listen } from './http/server.ts';
import { behaviourOptions, behaviours } from './links/behaviours.ts';
import { createLinks } from './links/links.ts';
import { type MediaCache, openMediaCache } from './media/cache.ts';
import { fileKinds, hlsSegments, type Recipe } from './media/recipes.ts';
import { heights, parseTrack } from './media/titles.ts';
import { abouts } from './platforms/abouts.ts';
import { findVideo } from './platforms/dailymotion/catalogue.ts';
import { createDrifts } from './platforms/drift.ts';
import { type LabPlatform, loadPlatforms } from './platforms/lab-platform.ts';
import { recipesOfFirst } from './platforms/tiktok/responses/files.ts';
import { recipesOf } from './platforms/youtube/responses/formats.ts';
import { openReplay, type Replay, shelfHost } from './replay/replay.ts';

/** Options of a lab. */
export interface LabOptions {
  /** Port number; 0 for any free port. */
  readonly port: number;
  /** Folder of the generated media. */
  readonly cacheDirectory: string;
  /** Folder of recorded responses. */
  readonly recordings?: string;
  /** Additional milliseconds for every response except those of the lab's own pages; default 0. */
  readonly latency?: number;
  /** Whether the media of the demo is generated before the lab is ready; default true. */
  readonly prepare?: boolean;
}

/** Running lab. */
export interface Lab {
  readonly port: number;
  /** Address on loopback. */
  readonly url: string;
  /** Number of recordings that the lab replays, and how many of them have a known request. */
  readonly recordings: { readonly count: number; readonly identified: number };
  /** Closes every connection and ends every process that makes media. */
  close(): Promise<void>;
}

/**
 * Starts the simulated internet on loopback. It distinguishes its hosts by the Host header.
 *
 * @throws Error when the port is in use, the cache is not writable, or the recordings are unreadable.
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { port, cacheDirectory, recordings, latency = 0, prepare = true } = options;
  const replay = recordings === undefined ? undefined : await openReplay(recordings);
  const platforms = await loadPlatforms();
  const cache = await openMediaCache(cacheDirectory);
  try {
    if (prepare) await prepareDemo(cache);
    const journal = createJournal();
    const tokens = createTokens();
    const tools: CdnTools = { cache, tokens, links: createLinks(), send: createSender(tokens) };
    const cdn = cdnHandler(tools);
    const drifts = createDrifts(platforms);
    const pages = { catalogue: () => catalogue(platforms), drift: drifts.control, media: tools.links.control };
    const control = controlHandler(journal, pages, cdn);
    const hosts = handleHosts([
      { name: '127.0.0.1', handle: control },
      { name: 'localhost', handle: control },
      ...(replay === undefined ? [] : [{ name: shelfHost, handle: replay.shelf }]),
      ...platforms.flatMap((platform) => drifts.hostsOf(platform, platform.hosts(tools))),
      { name: '*.lab.example', handle: cdn },
    ]);
    const world = replay === undefined ? hosts : replayFirst(replay, hosts);
    const server = await listen(port, journal, latency === 0 ? world : withLatency(latency, world));
    return {
      port: server.port,
      url: `http://127.0.0.1:${server.port}`,
      recordings: { count: replay?.count ?? 0, identified: replay?.identified ?? 0 },
      async close() {
        await server.close();
        await cache.close();
      },
    };
  } catch (error) {
    await cache.close();
    throw error;
  }
}

function replayFirst(replay: Replay, hosts: Handler): Handler {
  return async (exchange) => {
    if (!(await replay.answer(exchange))) await hosts(exchange);
  };
}

function withLatency(latency: number, handle: Handler): Handler {
  return async (exchange) => {
    const own = exchange.host === '127.0.0.1' || exchange.host === 'localhost';
    if (!own) await delay(latency, undefined, { signal: exchange.disconnected });
    await handle(exchange);
  };
}

/** Generates the media of the demo, and the ordinary videos of p1, p4 and p5. */
async function prepareDemo(cache: MediaCache): Promise<void> {
  const best = parseTrack('1080');
  const video = findVideo('xlab30');
  const recipes: (Recipe | undefined)[] = [
    video && best && hlsSegments(video.title, best),
    ...['lab-plain30', 'lab-60fps-1', 'lab-dubbed1'].flatMap(recipesOf),
    ...recipesOfFirst(),
  ];
  await Promise.all(recipes.filter((recipe) => recipe !== undefined).map((recipe) => cache.path(recipe)));
}

/** Returns the contents of the lab, for people and tests. */
function catalogue(platforms: readonly LabPlatform[]): unknown {
  return {
    cdn: {
      files: abouts(fileKinds),
      heights,
      masterRungs: masterVariants,
      masters: abouts(hlsMasters),
      playlists: abouts(hlsPlaylists),
      playlistOptions,
      hostile: abouts(hostileFiles),
      faults: abouts(faultTable),
    },
    media: { behaviours: abouts(behaviours), options: abouts(behaviourOptions) },
    drifts: Object.fromEntries(platforms.map(({ id, drifts }) => [id, abouts(drifts)])),
    ...Object.fromEntries(platforms.map((platform) => [platform.id, platform.catalogue()])),
  };
}
