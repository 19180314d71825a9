import { runSteps } from '../../waiting/steps.ts';
import { type Playlist, parsePlaylist as parseInSteps } from '../playlist.ts';
import { rewritePlaylist as rewriteInSteps } from '../rewrite-playlist.ts';

/** Parses a playlist without a pause. */
export function parsePlaylist(...parameters: Parameters<typeof parseInSteps>): Playlist {
  return runSteps(parseInSteps(...parameters));
}

/** Returns the lines of a rewritten playlist. */
export function rewritePlaylist(...parameters: Parameters<typeof rewriteInSteps>): string[] {
  return [...rewriteInSteps(...parameters)].filter((line) => line !== undefined);
}
