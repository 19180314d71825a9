import { readFile } from 'node:fs/promises';
import type { Exchange } from '../http/exchange.ts';
import type { MediaCache } from '../media/cache.ts';
import { mediaFile } from '../media/recipes.ts';
import { parseTitle } from '../media/titles.ts';
import { bytesContent, type Content, textContent } from './content.ts';
import { FaultError } from './faults.ts';
import { indexedFile, indexedFiles } from './hostile-index.ts';
import { patches } from './hostile-mp4.ts';
import { hostilePlaylists } from './hostile-playlists.ts';
import { disguisedTexts } from './hostile-text.ts';
import { type CdnTools, notFound } from './tools.ts';

/** All files below `/hostile/`, by name. */
export const hostileFiles: Readonly<Record<string, { readonly about: string }>> = {
  ...hostilePlaylists,
  ...disguisedTexts,
  ...patches,
  ...indexedFiles,
};

const type = 'video/mp4';

/** Serves a malicious file. */
export async function sendHostile(exchange: Exchange, { cache, send }: CdnTools, name: string): Promise<void> {
  const content = Object.hasOwn(hostileFiles, name) ? await hostileContent(cache, name, exchange.url) : undefined;
  if (content === undefined) return notFound(exchange);
  await send(exchange, content);
}

async function hostileContent(cache: MediaCache, name: string, url: URL): Promise<Content | undefined> {
  const text = disguisedTexts[name]?.text;
  if (text !== undefined) {
    const inside = url.searchParams.get('target') ?? 'http://127.0.0.1/';
    if (!URL.canParse(inside)) throw new FaultError(`target=${inside} must be an absolute URL.`);
    return textContent(text({ file: 'file:///etc/passwd', inside }), type);
  }
  const patch = patches[name]?.patch;
  if (patch === undefined) return hostilePlaylists[name]?.content(url) ?? indexedFile(name);
  const bytes = await readFile(await harmlessFile(cache));
  patch(bytes);
  return bytesContent(bytes, type);
}

/** Returns the path of a real file, which is changed in memory. */
async function harmlessFile(cache: MediaCache): Promise<string> {
  const title = parseTitle('amber-2');
  const file = title && mediaFile(title, 'movie-180.mp4');
  if (file === undefined) throw new Error('The lab has no amber-2/movie-180.mp4.');
  return cache.path(file.recipe);
}
