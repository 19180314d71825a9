import { describe, expect, it } from 'vitest';
import { readVideoMetadata } from '../video-metadata.ts';
import { readChapters, readHeatmap } from './chapters.ts';
import { readMusic } from './music.ts';
import { readRelated, readWatchPage, unreadParts } from './watch-page.ts';

const text = (simpleText: string) => ({ simpleText });
const page = (primary: object, secondary: object = {}) => ({
  contents: {
    twoColumnWatchNextResults: {
      results: {
        results: { contents: [{ videoPrimaryInfoRenderer: primary }, { videoSecondaryInfoRenderer: secondary }] },
      },
    },
  },
});
const likeButton = (title: string, accessibilityText: string) => {
  const buttonViewModel = { title, accessibilityText };
  const toggle = { toggleButtonViewModel: { toggleButtonViewModel: { defaultButtonViewModel: { buttonViewModel } } } };
  const like = { likeButtonViewModel: { likeButtonViewModel: toggle } };
  return { videoActions: { menuRenderer: { topLevelButtons: [{}, { segmentedLikeDislikeButtonViewModel: like }] } } };
};
const panel = (panelIdentifier: string, rest: object) => ({
  engagementPanelSectionListRenderer: { panelIdentifier, ...rest },
});

describe('a watch page', () => {
  it.each([
    ['31K', 'like this video along with 31,009 other people', { likeCount: 31_009, likeCountText: '31K' }],
    ['31K', 'like', { likeCount: 31_000, likeCountText: '31K' }],
    ['Like', 'Like', {}],
  ])('has the like count: %s, %s', (title, label, expected) => {
    expect(readWatchPage(page(likeButton(title, label))).likes).toEqual(expected);
  });

  it('distinguishes its license from other rows', () => {
    const row = (title: string, words: string) => ({
      metadataRowRenderer: { title: text(title), contents: [text(words)] },
    });
    const rows = [row('License', 'Creative Commons'), row('Game', 'Chess'), {}];
    const watchPage = readWatchPage(page({}, { metadataRowContainer: { metadataRowContainerRenderer: { rows } } }));
    expect(watchPage).toMatchObject({ license: 'Creative Commons', rows: { Game: 'Chess' } });
  });

  it.each([
    ['28,405 watching now', { viewerCount: 28_405, viewerCountText: '28,405 watching now' }],
    ['1,234 views', { viewCount: 1_234, viewCountText: '1,234 views' }],
  ])('distinguishes current viewers from views: %s', (words, expected) => {
    const watch = page({ viewCount: { videoViewCountRenderer: { viewCount: text(words) } } });
    expect(readVideoMetadata('dQw4w9WgXcQ', { watch }).additionalData?.statistics).toEqual(expected);
  });
});

describe('chapters', () => {
  const bar = (key: string, title: string) => ({
    key,
    value: {
      chapters: [{ chapterRenderer: { title: text(title), timeRangeStartMillis: 5 } }, { chapterRenderer: {} }],
    },
  });
  const inBar = (...markersMap: unknown[]) => ({
    playerOverlays: {
      playerOverlayRenderer: {
        decoratedPlayerBarRenderer: {
          decoratedPlayerBarRenderer: { playerBar: { multiMarkersPlayerBarRenderer: { markersMap } } },
        },
      },
    },
  });
  const inPanel = (kind: string, title: string) => {
    const onTap = { watchEndpoint: { startTimeSeconds: 7 } };
    const contents = [{ macroMarkersListItemRenderer: { title: text(title), onTap } }];
    const content = { macroMarkersListRenderer: { contents } };
    return { engagementPanels: [panel(`engagement-panel-macro-markers-${kind}-chapters`, { content })] };
  };

  it('are those by the author, or else those that the site detected', () => {
    const manualChapter = { title: 'A', startMs: 5, kind: 'description' };
    expect(readChapters(inBar(bar('AUTO_CHAPTERS', 'B'), bar('DESCRIPTION_CHAPTERS', 'A')))).toEqual([manualChapter]);
    expect(readChapters({ ...inBar(bar('AUTO_CHAPTERS', 'B')), ...inPanel('description', 'C') })).toEqual([
      { title: 'C', startMs: 7_000, kind: 'description' },
    ]);
    expect(readChapters(inBar(bar('AUTO_CHAPTERS', 'B')))).toEqual([{ title: 'B', startMs: 5, kind: 'auto' }]);
    expect(readChapters(inPanel('auto', 'D'))).toEqual([{ title: 'D', startMs: 7_000, kind: 'auto' }]);
    expect(readChapters({})).toEqual([]);
  });

  it('are not confused with a heatmap', () => {
    const list = (markerType: string) => ({
      payload: {
        macroMarkersListEntity: {
          markersList: {
            markerType,
            markers: [{ startMillis: '0', durationMillis: '10', intensityScoreNormalized: 0.5 }, {}],
          },
        },
      },
    });
    const mutations = [list('MARKER_TYPE_TIMESTAMPS'), list('MARKER_TYPE_HEATMAP')];
    expect(readHeatmap({ frameworkUpdates: { entityBatchUpdate: { mutations } } })).toEqual([
      { startMs: 0, durationMs: 10, intensity: 0.5 },
    ]);
    expect(readHeatmap({})).toEqual([]);
  });
});

it('music has its credits, and other cards have none', () => {
  const runs = ['Song', ': ', 'On', '\n\n', 'Writers', ': ', 'A, B: C', '\n\nx'].map((words) => ({ text: words }));
  const content = { confirmDialogRenderer: { dialogMessages: [{ runs }] } };
  const song = {
    title: 'On',
    subtitle: 'Cartoon',
    secondarySubtitle: { content: 'Album' },
    overflowMenuOnTap: { innertubeCommand: { confirmDialogEndpoint: { content } } },
  };
  const cards = [{ videoAttributeViewModel: song }, { videoAttributeViewModel: { title: 'A game' } }, {}];
  const items = [{}, { horizontalCardListRenderer: { cards } }];
  const description = { content: { structuredDescriptionContentRenderer: { items } } };
  expect(readMusic({ engagementPanels: [panel('engagement-panel-structured-description', description)] })).toEqual([
    { title: 'On', artist: 'Cartoon', album: 'Album', credits: { Song: 'On', Writers: 'A, B: C' } },
  ]);
});

it('suggested videos may be in a section', () => {
  const lockup = { lockupViewModel: { contentId: 'dQw4w9WgXcQ', contentType: 'LOCKUP_CONTENT_TYPE_VIDEO' } };
  const results = [{ itemSectionRenderer: { contents: [lockup, { newRenderer: {} }] } }];
  const watch = { contents: { twoColumnWatchNextResults: { secondaryResults: { secondaryResults: { results } } } } };
  expect(readRelated(watch)).toMatchObject({
    items: [{ type: 'video', id: 'dQw4w9WgXcQ' }],
    unread: { newRenderer: 1 },
  });
});

it('unknown parts of a watch page are counted', () => {
  const page = (parts: object) => unreadParts({ contents: { twoColumnWatchNextResults: parts } });
  const contents = [{ videoPrimaryInfoRenderer: {} }, { videoInfoV2: {} }];
  expect(page({ results: { results: { contents } }, autoplay: {}, sidebarV2: {} })).toEqual({
    sidebarV2: 1,
    videoInfoV2: 1,
  });
  expect(page({ results: { results: {} } })).toEqual({ results: 1 });
  expect(page({ secondaryResults: {} })).toEqual({});
  expect(unreadParts({ contents: { watchPageV2: {} } })).toEqual({ watchPageV2: 1 });
});
