import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { serviceCaller } from '../../../contract/caller.ts';
import { parseJob } from '../../../contract/parse-job.ts';
import { createEgress } from '../../../egress/create-egress.ts';
import { downloadInputs } from '../download-inputs.ts';
import { createTimeBudgets } from '../fetch-within-budget.ts';
import { type ReceivedRequest, type RequestHandler, startOrigin } from './origin.ts';

/** One mebibyte, in bytes. */
export const MIB = 1024 * 1024;

/** Returns bytes that differ at every position, so that a misplaced chunk is detected. */
export function createBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32BE(Math.imul(at, 2_654_435_761) >>> 0, at);
  return bytes;
}

/** Returns a hash with which large files are compared. */
export function hash(bytes: Buffer | undefined): string {
  return createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
}

/** Downloads the inputs of a job from an origin with a handler for each path; deletes all files at the end. */
export async function download(
  handlers: Record<string, RequestHandler>,
  inputs: readonly Record<string, unknown>[],
  job = {},
  requestLog: ReceivedRequest[] = [],
) {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-download-'));
  const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
  const origin = await startOrigin(handlers, requestLog);
  try {
    const progress: number[] = [];
    const parsedJob = parseJob({
      id: 'job',
      inputs: inputs.map((input) => ({ ext: 'mp4', ...input, url: `${origin.url}${input.url}` })),
      output: { ext: 'mp4' },
      operation: { type: 'join_streams' },
      ...job,
    });
    const results = await downloadInputs(parsedJob, {
      egress,
      caller: serviceCaller,
      directory,
      signal: new AbortController().signal,
      budgets: createTimeBudgets(parsedJob),
      pause: async () => undefined,
      onProgress: (fraction) => progress.push(fraction),
    });
    const fetchedFiles = results.flatMap(({ files }) => files);
    const files = await Promise.all(fetchedFiles.flatMap(({ parts }) => parts).map(({ path }) => readFile(path)));
    return { results, fetchedFiles, files, progress, requestLog };
  } finally {
    await egress.close();
    await origin.close();
    await rm(directory, { recursive: true, force: true });
  }
}
