import type { Exchange, Handler } from '../http/exchange.ts';
import { mediaFile } from '../media/recipes.ts';
import { parseTitle, type Title } from '../media/titles.ts';
import { chapterTag } from './chapters.ts';
import { bytesContent, fileContent, joinedContent } from './content.ts';
import { sendHls } from './hls.ts';
import { sendHostile } from './hostile.ts';
import { sendThirdPartyFile } from './third-party-files.ts';
import { type CdnTools, notFound, sendOfTitle } from './tools.ts';
import { sendUnusual } from './unusual.ts';
import { sendUnusualPlaylist } from './unusual-playlists.ts';

const titlePath = /^\/(media|hls)\/([a-z]+-\d+)\/([\w.-]+(?:\/[\w.-]+){0,2})$/;
const mediaPath = /^\/found\/(\w[\w.-]+)$/;
const hostilePath = /^\/hostile\/([\w.-]+)$/;
const playlistPath = /^\/playlists\/([\w.-]+)$/;
const unusualPath = /^\/unusual\/([\w.-]+)$/;

/**
 * Handles the lab's own CDN: `/media/<title>/<file>`, `/hls/<title>/…`, `/playlists/<name>`, `/unusual/<name>`,
 * `/hostile/<name>` and `/found/<name>`.
 */
export function cdnHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const [, hostile] = hostilePath.exec(exchange.url.pathname) ?? [];
    if (hostile !== undefined) return sendHostile(exchange, tools, hostile);
    const [, unusual] = unusualPath.exec(exchange.url.pathname) ?? [];
    if (unusual !== undefined) return sendUnusual(exchange, tools, unusual);
    const [, playlist] = playlistPath.exec(exchange.url.pathname) ?? [];
    if (playlist !== undefined) return sendUnusualPlaylist(exchange, tools, playlist);
    const [, fileName] = mediaPath.exec(exchange.url.pathname) ?? [];
    if (fileName !== undefined) return sendThirdPartyFile(exchange, tools, fileName);
    const [, area, titleName = '', name = ''] = titlePath.exec(exchange.url.pathname) ?? [];
    const title = parseTitle(titleName);
    if (title === undefined) return notFound(exchange);
    if (area === 'hls') return sendHls(exchange, tools, title, name.split('/'));
    return sendMedia(exchange, tools, title, name);
  };
}

/** Serves a file of a title. */
export function sendMedia(exchange: Exchange, tools: CdnTools, title: Title, name: string): Promise<void> {
  return sendOfTitle(exchange, tools, title, async (each) => {
    const withChapters = name === 'chapters.mp3';
    const file = mediaFile(each, withChapters ? 'sound.mp3' : name);
    if (file === undefined) return undefined;
    const content = await fileContent(await tools.cache.path(file.recipe), file.type);
    return withChapters ? joinedContent([bytesContent(chapterTag(), file.type), content], file.type) : content;
  });
}
