/** The endpoints of p1 that search for each kind of result. */
export const searchEndpoints = {
  all: 'search',
  video: 'search/video',
  channel: 'search/channel',
  playlist: 'search/playlist',
  movie: 'search/movie',
} as const;
