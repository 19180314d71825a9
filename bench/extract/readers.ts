import { defined, dig, type Fields, fields } from '../../src/parsing/values.ts';
import { readAbout } from '../../src/platforms/youtube/parse/channel-about.ts';
import { readChannelDetails } from '../../src/platforms/youtube/parse/channel-details.ts';
import { readChannelHeader } from '../../src/platforms/youtube/parse/channel-header.ts';
import { readTabs } from '../../src/platforms/youtube/parse/channel-tabs.ts';
import { readCommentPage } from '../../src/platforms/youtube/parse/comments/comment-page.ts';
import { readHashtagInfo } from '../../src/platforms/youtube/parse/hashtag-info.ts';
import { channelIdOf } from '../../src/platforms/youtube/parse/ids.ts';
import { readList, readPage } from '../../src/platforms/youtube/parse/item-list.ts';
import { readMixPanel } from '../../src/platforms/youtube/parse/mix-panel.ts';
import { readMedia } from '../../src/platforms/youtube/parse/player/media.ts';
import { readPlayability } from '../../src/platforms/youtube/parse/player/playability.ts';
import { readStreams } from '../../src/platforms/youtube/parse/player/streams.ts';
import { readPlaylistInfo } from '../../src/platforms/youtube/parse/playlist-info.ts';
import { readNotices } from '../../src/platforms/youtube/parse/refusal.ts';
import { readSearchInfo } from '../../src/platforms/youtube/parse/search-info.ts';
import { parseSuggestions } from '../../src/platforms/youtube/parse/search-suggestions.ts';
import { parseTranscript } from '../../src/platforms/youtube/parse/transcript-segments.ts';
import { readVideoMetadata } from '../../src/platforms/youtube/parse/video-metadata.ts';
import { readRelated } from '../../src/platforms/youtube/parse/watch/watch-page.ts';

/** Functions that parse a response as the endpoints do, by the group in the recordings' index. */
type Readers<Answer> = Readonly<Record<string, (answer: Answer) => unknown>>;

/** A video ID for responses that contain none. Its value makes no difference. */
const VIDEO = 'aaaaaaaaaaa';

/**
 * Readers of InnerTube responses. If several endpoints read the responses of a group, all of their parsers run. There
 * are no readers for `rss` and `/guide`, which no endpoint requests, and for `/visitor_id`, which is requested every 6
 * hours.
 */
export const readers: Readers<Fields> = {
  channel: (answer) => {
    const header = readChannelHeader(answer.header);
    return [
      readChannelDetails({ response: answer, header, about: readAbout(answer) }, ''),
      readTabs(answer),
      readPage(answer),
    ];
  },
  comments: readCommentPage,
  comments_watch: readWatch,
  hashtag: (answer) => [readHashtagInfo(answer), readPage(answer)],
  mix: (answer) => readList({ contents: readMixPanel(answer)?.entries }),
  player: (answer) => readPlayer(fields(answer.playerResponse ?? answer)),
  playlist: (answer) => [readPlaylistInfo(answer, ''), readNotices(answer), readPage(answer)],
  posts: readPage,
  resolve_url: ({ endpoint }) => channelIdOf(dig(endpoint, 'browseEndpoint', 'browseId')),
  search: (answer) => [readSearchInfo(answer), readPage(answer)],
  search_fragments: ({ raw }) => readPage({ contents: [raw] }),
  watch: readWatch,
};

/** Readers of responses from other services. They also do the work of JSON.parse. */
export const textReaders: Readers<string> = {
  suggest: (body) => parseSuggestions(body, 200),
  transcript: (body) => parseTranscript(body, 200, 'auto'),
};

function readPlayer(answer: Fields): unknown {
  const playability = readPlayability(answer, String(dig(answer, 'videoDetails', 'videoId') ?? VIDEO));
  const media = readMedia(readStreams(answer).formats, undefined, '');
  return [playability, media, readVideoMetadata(VIDEO, { player: answer, web: answer })];
}

function readWatch(watch: Fields): unknown {
  return readVideoMetadata(VIDEO, { watch, ...defined({ related: readRelated(watch).items }) });
}
