import { fetchJson } from './http-client.ts';
import { findRequests } from './lab-client.ts';

/** A behaviour of media links in the lab; see lab/README.md. */
interface Behaviour {
  readonly platform: string;
  readonly name: string;
  readonly item?: string;
  /** Number of links that have died of it, by item. */
  readonly deaths: Readonly<Record<string, number>>;
}

/** Turns on a behaviour of media links, such as `dies` on p1. */
export async function turnOn(
  labUrl: string,
  platform: string,
  name: string,
  options: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const texts = Object.entries(options).map(([key, value]): [string, string] => [key, `${value}`]);
  const query = new URLSearchParams([[platform, name], ...texts]);
  const { status, body } = await fetchJson<readonly Behaviour[]>(`${labUrl}/_lab/media?${query}`, { method: 'POST' });
  if (status !== 200) throw new Error(`the lab does not support ${query}: ${JSON.stringify(body)}`);
}

/** Turns off the behaviours of an item's media links. */
export async function turnOff(labUrl: string, item: string): Promise<void> {
  await fetchJson(`${labUrl}/_lab/media?item=${item}`, { method: 'DELETE' });
}

/** Returns the number of an item's media links that have died. */
export async function deathsOf(labUrl: string, item: string): Promise<number> {
  const { body } = await fetchJson<readonly Behaviour[]>(`${labUrl}/_lab/media`);
  return body.reduce((sum, { deaths }) => sum + (deaths[item] ?? 0), 0);
}

/** Returns the clients as which the links of a video of p1 were requested, with their versions, in order. */
export async function linkRequestsFor(labUrl: string, videoId: string): Promise<readonly string[]> {
  const requests = await findRequests(labUrl, { path: '/youtubei/v1/' });
  return requests.flatMap(({ path, body }) => {
    const { videoId: own, playerRequest, context } = JSON.parse(body);
    const isPlayer = /\/v1\/(?:player|reel\/reel_item_watch)\b/.test(path);
    if (!isPlayer || (own ?? playerRequest?.videoId) !== videoId || context.client.clientName === 'WEB') return [];
    return [`${context.client.clientName}/${context.client.clientVersion}`];
  });
}

/** Returns the media requests for a video of p1 with an itag, in order. */
export async function mediaRequestsFor(labUrl: string, videoId: string, itag: number) {
  const requests = await findRequests(labUrl, { path: '/videoplayback' });
  return requests.filter(({ path }) => {
    const { searchParams } = new URL(path, 'https://media.example');
    return searchParams.get('id') === videoId && searchParams.get('itag') === `${itag}`;
  });
}
