import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import type { Lab } from '../../lab.ts';
import { startTestLab } from '../../testing.ts';
import { memberEdges } from '../member-edges.ts';
import { playlists } from './catalogue.ts';
import { tabParams } from './responses/channel.ts';
import { channelTabs } from './responses/channel-lists.ts';
import { commentsToken } from './responses/comment-tokens.ts';
import { type CallSite, siteCaller, type Value } from './testing.ts';
import { channelOf } from './world/channels.ts';

// Every member that the lab writes inside the following nodes must occur in a recorded response.

const recordings = readRecordings('p1');
const groups = ['channel', 'comments', 'hashtag', 'mix', 'player', 'playlist', 'posts', 'search', 'watch'];
const nodes = [
  'lockupViewModel',
  'shortsLockupViewModel',
  'videoRenderer',
  'playlistVideoRenderer',
  'playlistPanelVideoRenderer',
  'playlistRenderer',
  'gridPlaylistRenderer',
  'channelRenderer',
  'commentViewModel',
  'commentEntityPayload',
  'commentRenderer',
  'commentRepliesRenderer',
  'commentsHeaderRenderer',
  'pageHeaderViewModel',
  'channelMetadataRenderer',
  'playlistSidebarRenderer',
  'videoPrimaryInfoRenderer',
  'videoSecondaryInfoRenderer',
  'continuationItemRenderer',
  'continuationItemViewModel',
  'playabilityStatus',
  'videoDetails',
  'playerMicroformatRenderer',
  'playerCaptionsTracklistRenderer',
] as const;

/** Members that no recording contains; they are known from other programs that read the site. */
const exceptions = new Set([
  'videoRenderer.upcomingEventData',
  'upcomingEventData.startTime',
  'commentRepliesRenderer.subThreads',
  'subThreads.continuationItemRenderer',
  // The like button of 2022 and earlier.
  'topLevelButtons.toggleButtonRenderer',
  'toggleButtonRenderer.defaultIcon',
  'defaultIcon.iconType',
  'toggleButtonRenderer.defaultText',
  'defaultText.accessibility',
  'defaultText.simpleText',
  'toggleButtonRenderer.accessibility',
  'accessibility.label',
]);

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

function recordedAnswers(): unknown[] {
  return [...recordings]
    .filter(([name]) => groups.includes(path.dirname(name)))
    .map(([, text]) => JSON.parse(text) as unknown);
}

async function labAnswers(site: CallSite): Promise<Value[]> {
  const tabs = channelTabs.flatMap((tab) =>
    [0, 1].map((number) => ({ browseId: channelOf(number).id, params: tabParams(tab) })),
  );
  const lists = Object.values(playlists).map((id) => ({ browseId: `VL${id}` }));
  const videos = ['lab-plain30', 'lab-old-30s', 'lab-live-up', 'lab-private'].map((videoId) => ({ videoId }));
  const fields = '&$fields=playabilityStatus,videoDetails,microformat,captions';
  const answers = await Promise.all([
    ...[...tabs, ...lists].map((body) => site('browse', body)),
    ...videos.flatMap((body) => [site('player', body, {}, fields), site('next', body)]),
    ...videos.slice(0, 2).map(({ videoId }) => site('next', { continuation: commentsToken(videoId) })),
    site('next', { videoId: 'lab-plain30', playlistId: playlists.mix }),
    ...['EgIQAQ==', 'EgIQAg==', 'EgIQAw=='].map((params) => site('search', { query: 'kites', params })),
  ]);
  return answers.map(({ body }) => body);
}

test.skipIf(recordings.size === 0)(
  "the lab's shapes match those of the recordings",
  async () => {
    const recorded = recordedAnswers();
    const simulated = await labAnswers(siteCaller(lab));
    process.stdout.write(`Compared with ${recorded.length} recordings.\n`);
    const theirs = memberEdges(recorded, nodes);
    const unknown = [...memberEdges(simulated, nodes)].flatMap(([node, mine]) => {
      if (mine.size === 0) return [`${node} is not written at all`];
      return [...mine.difference(theirs.get(node) ?? new Set())]
        .filter((edge) => !exceptions.has(edge))
        .map((edge) => `${node}: ${edge}`);
    });
    expect(unknown).toEqual([]);
  },
  120_000,
);
