import { createHash } from 'node:crypto';
import type { StatusEvent } from '../test/support/http-client.ts';
import { inspect } from '../test/support/media.ts';
import { isBroken } from './jobs.ts';
import { type KindName, kinds } from './kinds.ts';
import { until } from './wait.ts';

const DOWNLOAD_TIMEOUT_MS = 20_000;
const DOWNLOAD_PATIENCE_S = 30;
/** Seconds that a track may be shorter or longer than it should be. */
const TOLERANCE_S = 0.5;

/** Downloads a finished job's file twice and reads it. Returns what is wrong with it. */
export async function verifyFile(kind: KindName, { output }: StatusEvent): Promise<string[]> {
  if (output === null) return ['done without an output'];
  const first = await download(output.url);
  const second = await download(output.url);
  if (typeof first === 'string' || typeof second === 'string') return [`its link ${first} ${second}`];
  if (digest(first) !== digest(second)) return ['two downloads of its file differ'];
  if (first.length !== output.size) return [`its file has ${first.length} bytes, not ${output.size}`];
  const wanted = kinds[kind];
  const { tracks } = await inspect(first).catch((error: unknown) => {
    throw new Error(`the file of ${output.key} cannot be read`, { cause: error });
  });
  const found = tracks.map((track) => track.kind).toSorted();
  if (found.join() !== wanted.tracks.join()) return [`its file holds ${found.join(' and ')}`];
  return tracks
    .filter(({ duration }) => Math.abs(duration - wanted.seconds) > TOLERANCE_S)
    .map(({ kind: track, duration }) => `its ${track} plays ${duration.toFixed(2)} s, not ${wanted.seconds}`);
}

/** The bytes of a link, or what it answered; connections that break are made again. */
async function download(url: string): Promise<Buffer | string> {
  let result: Buffer | string = 'was never answered';
  await until(
    async () => {
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
        const bytes = Buffer.from(await answer.arrayBuffer());
        result = answer.ok ? bytes : `answered ${answer.status}`;
        return answer.status < 500;
      } catch (error) {
        if (!isBroken(error)) throw error;
        return false;
      }
    },
    DOWNLOAD_PATIENCE_S,
    500,
  );
  return result;
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
