import { setTimeout as delay } from 'node:timers/promises';
import { cdnHandler } from './cdn/cdn.ts';
import { faultTable } from './cdn/faults.ts';
import { createGates } from './cdn/gates.ts';
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
import { platforms } from './platforms/platforms.ts';
import { recipesOfFirst } from './platforms/tiktok/responses/files.ts';
import { recipesOfScenarios } from './platforms/youtube/responses/formats.ts';
import { openReplay, type Replay, shelfHost } from './replay/replay.ts';
import { createStore, storeHost } from './store/store.ts';

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
  /** Whether {@link Lab.prepare} is called before the lab is ready; default true. */
  readonly prepare?: boolean;
  /** Maximum size of the generated media in bytes; default: unlimited. */
  readonly cacheLimit?: number;
  /** Whether the lab's own pages are available, which show all requests and change the sites; default true. */
  readonly control?: boolean;
}

/** Running lab. */
export interface Lab {
  readonly port: number;
  /** Address on loopback. */
  readonly url: string;
  /** Number of recordings that the lab replays, and how many of them have a known request. */
  readonly recordings: { readonly count: number; readonly identified: number };
  /**
   * Generates the media whose sizes the responses for the documented items state, so that the first requests for them
   * do not wait. It uses one maker at a time, and ends early when the lab closes.
   *
   * @throws Error when a file cannot be generated.
   */
  prepare(): Promise<void>;
  /** Closes every connection and ends every process that makes media. */
  close(): Promise<void>;
}

/**
 * Starts the simulated internet on loopback. It distinguishes its hosts by the Host header.
 *
 * @throws Error when the port is in use, the cache is not writable, or the recordings are unreadable.
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { port, cacheDirectory, recordings, latency = 0, prepare = true, cacheLimit, control = true } = options;
  const replay = recordings === undefined ? undefined : await openReplay(recordings);
  const cache = await openMediaCache(cacheDirectory, cacheLimit);
  let isClosing = false;
  const prepareMedia = async () => {
    try {
      for (const recipe of preparedRecipes()) await generate(cache, recipe);
    } catch (error) {
      if (!isClosing) throw error;
    }
  };
  try {
    if (prepare) await prepareMedia();
    // Without the lab's own pages, nothing reads the journal, and its entries would only take memory.
    const journal = control ? createJournal() : createJournal(0);
    const tokens = createTokens();
    const gates = createGates();
    const tools: CdnTools = { cache, tokens, links: createLinks(), send: createSender(tokens, gates) };
    const cdn = cdnHandler(tools);
    const store = createStore(tokens);
    const drifts = createDrifts(platforms);
    const controls = { drift: drifts.control, gate: gates.control, media: tools.links.control, store: store.control };
    const own = controlHandler(journal, { catalogue, ...controls }, cdn);
    const hosts = handleHosts([
      ...(control ? ['127.0.0.1', 'localhost'].map((name) => ({ name, handle: own })) : []),
      ...(replay === undefined ? [] : [{ name: shelfHost, handle: replay.shelf }]),
      ...platforms.flatMap((platform) => drifts.hostsOf(platform, platform.hosts(tools))),
      { name: storeHost, handle: store.handle },
      { name: '*.lab.example', handle: cdn },
    ]);
    const world = replay === undefined ? hosts : replayFirst(replay, hosts);
    const server = await listen(port, journal, latency === 0 ? world : withLatency(latency, world));
    return {
      port: server.port,
      url: `http://127.0.0.1:${server.port}`,
      recordings: { count: replay?.count ?? 0, identified: replay?.identified ?? 0 },
      prepare: prepareMedia,
      async close() {
        isClosing = true;
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

/** Returns the files whose sizes the responses for the documented items state, and those of the demo. */
function preparedRecipes(): Recipe[] {
  const best = parseTrack('1080');
  const video = findVideo('xlab30');
  return [
    ...recipesOfScenarios(),
    ...recipesOfFirst(),
    ...(video === undefined || best === undefined ? [] : [hlsSegments(video.title, best)]),
  ];
}

/** Generates a file and those that it requires, one after the other. */
async function generate(cache: MediaCache, recipe: Recipe): Promise<void> {
  for (const need of recipe.needs) await generate(cache, need);
  await cache.path(recipe);
}

/** Returns the contents of the lab, for people and tests. */
function catalogue(): unknown {
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
