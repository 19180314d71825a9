import { Innertube, Log, Parser } from 'youtubei.js';
import { fields } from '../../../parsing/values.ts';

/**
 * The results of youtubei.js for a response: IDs by kind, in the order of youtubei.js, and whether there is a
 * continuation.
 */
interface OracleList {
  readonly ids: readonly string[];
  readonly continues: boolean;
}

/** Paths of member names to the ID of each kind of item in youtubei.js. */
const idPaths: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Video: [['video_id']],
  GridVideo: [['video_id']],
  CompactVideo: [['video_id']],
  PlaylistVideo: [['id']],
  PlaylistPanelVideo: [['video_id']],
  ReelItem: [['id']],
  ChannelVideoPlayer: [['id']],
  GridMovie: [['id']],
  Movie: [['id']],
  LockupView: [['content_id']],
  ShortsLockupView: [['on_tap_endpoint', 'payload', 'videoId']],
  Playlist: [['id']],
  GridPlaylist: [['id']],
  CompactPlaylist: [['id']],
  Show: [['endpoint', 'payload', 'playlistId']],
  Mix: [['id']],
  CompactMix: [['id']],
  Channel: [['id']],
  GridChannel: [['id']],
  GameDetails: [['endpoint', 'payload', 'browseId']],
  Post: [['id']],
  BackstagePost: [['id']],
  CommentView: [['comment_id']],
};

const CONTINUATION_MEMOS = [
  'on_response_received_actions_memo',
  'on_response_received_endpoints_memo',
  'on_response_received_commands_memo',
];

/** Parses a response with youtubei.js. If youtubei.js finds continuation items, only these count, as in `readPage`. */
export function queryOracle(body: unknown): OracleList {
  Log.setLevel(Log.Level.NONE);
  Parser.setParserErrorHandler(() => undefined);
  const response = fields(Parser.parseResponse(structuredClone(fields(body))));
  const continuationLists = CONTINUATION_MEMOS.map((name) => readMemo(response[name])).filter(
    ({ hasItems }) => hasItems,
  );
  const lists = continuationLists.length > 0 ? continuationLists : [readMemo(response.contents_memo)];
  return { ids: lists.flatMap(({ ids }) => ids), continues: lists.some(({ continues }) => continues) };
}

function readMemo(memo: unknown): OracleList & { readonly hasItems: boolean } {
  if (!(memo instanceof Map)) return { ids: [], continues: false, hasItems: false };
  const ids = Object.entries(idPaths).flatMap(([kind, paths]) =>
    nodesOf(memo, kind).flatMap((node) => paths.map((path) => String(valueAt(node, path)))),
  );
  const continues = ['ContinuationItem', 'ContinuationItemView'].some((kind) => nodesOf(memo, kind).length > 0);
  return { ids, continues, hasItems: ids.length > 0 || continues };
}

function nodesOf(memo: ReadonlyMap<unknown, unknown>, kind: string): readonly unknown[] {
  const nodes = memo.get(kind);
  return Array.isArray(nodes) ? nodes : [];
}

/** Returns the value at a path. Nodes are class instances, some of whose members are inherited. */
function valueAt(node: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], node);
}

/** Returns the continuation or params that youtubei.js sends, without giving it a response. */
export async function requestOracleToken(use: (innertube: Innertube) => Promise<unknown>): Promise<string> {
  const requestBodies: unknown[] = [];
  const execute = (_path: string, body: unknown) => {
    requestBodies.push(body);
    return Promise.reject(new Error('offline'));
  };
  // To send a request, youtubei.js needs no more of a session than this.
  await use(new Innertube({ actions: { execute } } as never)).catch(() => undefined);
  const { continuation, token, params } = fields(requestBodies[0]);
  return String(continuation ?? token ?? params);
}
