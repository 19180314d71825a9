import type { Exchange } from '../../http/exchange.ts';
import { decodeMessage, type Message, readMessage } from './protobuf.ts';
import { type ClientName, clientNames } from './responses/playability.ts';

/** Members of an InnerTube request that the lab reads. */
export interface InnertubeRequest {
  /** Name of the endpoint, such as `player` or `navigation/resolve_url`. */
  readonly endpoint: string;
  readonly client: ClientName;
  /** Version of the client. */
  readonly version: string;
  /** Interface language. */
  readonly hl: string;
  readonly visitor?: string;
  /** Text members that name the requested entity. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Index in a mix from which to continue. */
  readonly playlistIndex: number;
  /** Requested members of the response; all if absent. */
  readonly fields?: string;
  /** Body of the request and the content of its tokens, which are searched for the words of faults. */
  readonly text: string;
}

const members = ['videoId', 'browseId', 'params', 'query', 'continuation', 'playlistId', 'url'];

/** Reads a request; returns undefined if its body is not a JSON object with a known client. */
export function readRequest({ url, body }: Exchange): InnertubeRequest | undefined {
  const endpoint = url.pathname.replace('/youtubei/v1/', '');
  const text = body.toString();
  const root = objectOf(parseJson(text));
  const { clientName, clientVersion, hl, visitorData } = objectOf(objectOf(root.context).client);
  const client = clientNames.find((name) => name === clientName);
  if (client === undefined) return undefined;
  const all = { ...root, ...objectOf(root.playerRequest) };
  const entries = members.flatMap((name): [string, string][] => {
    const value = all[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const fields = url.searchParams.get('$fields');
  return {
    endpoint,
    client,
    version: typeof clientVersion === 'string' ? clientVersion : '',
    hl: typeof hl === 'string' ? hl : 'en',
    ...(typeof visitorData === 'string' ? { visitor: visitorData } : {}),
    parameters: Object.fromEntries(entries),
    playlistIndex: typeof all.playlistIndex === 'number' ? all.playlistIndex : Number(all.index ?? 0) || 0,
    ...(fields === null ? {} : { fields }),
    text: [text, ...textsInToken(root.params), ...textsInToken(root.continuation)].join('\n'),
  };
}

/** Returns the texts in a token, and those of the tokens and messages inside it. */
function textsInToken(token: unknown): readonly string[] {
  return typeof token === 'string' ? textsIn(decodeMessage(token)) : [];
}

function textsIn(message: Message | undefined): readonly string[] {
  return [...(message?.values() ?? [])].flatMap((value) => {
    if (typeof value === 'number') return [];
    const text = value.toString();
    return [text, ...textsIn(readMessage(value)), ...textsInToken(text)];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON matches nothing.
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
