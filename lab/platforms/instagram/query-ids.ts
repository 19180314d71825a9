/** Numbers of the site's queries: the numbers that clients know, and the numbers that replace them. */
export const queryIds = {
  known: { post: '27130156389949648', clips: '27695069083459414', shortcode: '8845758582119845' },
  next: { post: '31999999999999999', clips: '32999999999999999' },
} as const;

/** The query that returns reels. Its name is not known; its flags are those of the known number and of the next one. */
export const clipsQuery = {
  name: 'PolarisClipsLoggedOutConnectionQuery',
  flags: ['PolarisReelsRecoDebugOverlayEnabled', 'PolarisShortDramaEnabled'],
  nextFlags: ['PolarisShortDramaEnabled', 'PolarisSEOIsCrawler'],
} as const;
