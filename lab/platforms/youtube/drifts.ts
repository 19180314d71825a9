import type { Drift } from '../lab-platform.ts';

/** Changes of the site that can be turned on. */
export const drifts: Readonly<Record<string, Drift>> = {
  entries: {
    about: 'the entries of lists have new renderers',
    renames: [
      'lockupViewModel',
      'shortsLockupViewModel',
      'videoRenderer',
      'gridVideoRenderer',
      'reelItemRenderer',
      'playlistVideoRenderer',
      'compactVideoRenderer',
      'channelRenderer',
      'playlistRenderer',
      'gridPlaylistRenderer',
      'commentThreadRenderer',
      'backstagePostThreadRenderer',
    ],
  },
  containers: {
    about: 'the tabs, columns and further pages of lists have new names',
    renames: [
      'twoColumnBrowseResultsRenderer',
      'twoColumnSearchResultsRenderer',
      'twoColumnWatchNextResults',
      'onResponseReceivedEndpoints',
      'onResponseReceivedActions',
      'onResponseReceivedCommands',
    ],
  },
  streams: {
    about: 'the lists of streams in the player response have new names',
    renames: ['formats', 'adaptiveFormats', 'hlsManifestUrl'],
  },
  player: { about: 'the parts of the player response have new names', renames: ['playabilityStatus', 'videoDetails'] },
};
