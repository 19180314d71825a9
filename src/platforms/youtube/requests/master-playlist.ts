import { MillraceError } from '../../../contract/errors.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { parsePlaylist } from '../../../hls/playlist.ts';
import { runInTurns } from '../../../waiting/steps.ts';
import type { ClientProfile } from '../client-profiles.ts';
import type { Innertube } from './innertube.ts';

/**
 * Fetches a master playlist with at least one quality.
 *
 * @param timeout Milliseconds.
 * @throws MillraceError for a refusal, or for a response that is no master playlist.
 */
export async function fetchMaster(
  innertube: Innertube,
  client: ClientProfile,
  address: string,
  timeout: number,
): Promise<MasterPlaylist> {
  const { status, text, url } = await innertube.fetch(address, { client, timeout });
  if (status < 200 || status > 299) {
    throw new MillraceError('non_2xx_response', `YouTube returned status ${status} for the playlist. Try again.`);
  }
  const playlist = await runInTurns(parsePlaylist(text, url));
  if (playlist.kind === 'master' && playlist.variants.length > 0) return playlist;
  throw new MillraceError('invalid_response_data', "YouTube's playlist lists no qualities. Try again.");
}
