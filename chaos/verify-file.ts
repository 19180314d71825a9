import { createHash } from 'node:crypto';
import type { StatusEvent } from '../test/support/http-client.ts';
import { inspect } from '../test/support/media.ts';
import { type JobKindName, jobKinds } from './job-kinds.ts';
import { isConnectionError } from './tracked-job.ts';
import { waitUntil } from './wait-until.ts';

const DOWNLOAD_TIMEOUT_MS = 20_000;
const RETRY_TIMEOUT_S = 30;
/** Seconds by which the duration of a track may differ from the expected one. */
const TOLERANCE_S = 0.5;

/** Downloads a finished job's file twice and reads it. Returns the faults. */
export async function verifyFile(kind: JobKindName, { output }: StatusEvent): Promise<string[]> {
  if (output === null) return ['done without an output'];
  const first = await download(output.url);
  const second = await download(output.url);
  if (typeof first === 'string' || typeof second === 'string') return [`its link ${first} ${second}`];
  if (digest(first) !== digest(second)) return ['two downloads of its file differ'];
  if (first.length !== output.size) return [`its file has ${first.length} bytes, not ${output.size}`];
  const expected = jobKinds[kind];
  const { tracks } = await inspect(first).catch((error: unknown) => {
    throw new Error(`the file of ${output.key} cannot be read`, { cause: error });
  });
  const trackKinds = tracks.map((track) => track.kind).toSorted();
  if (trackKinds.join() !== expected.tracks.join()) return [`its file contains ${trackKinds.join(' and ')}`];
  return tracks
    .filter(({ duration }) => Math.abs(duration - expected.seconds) > TOLERANCE_S)
    .map(
      ({ kind: track, duration }) => `its ${track} has a duration of ${duration.toFixed(2)} s, not ${expected.seconds}`,
    );
}

/** Downloads a link, and retries after broken connections. Returns the bytes, or a description of the failure. */
async function download(url: string): Promise<Buffer | string> {
  let result: Buffer | string = 'never responded';
  await waitUntil(
    async () => {
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
        const bytes = Buffer.from(await response.arrayBuffer());
        result = response.ok ? bytes : `returned ${response.status}`;
        return response.status < 500;
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        return false;
      }
    },
    RETRY_TIMEOUT_S,
    500,
  );
  return result;
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
