import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Fields, fields, list } from '../../../parsing/values.ts';

/** A recorded request and its response. Names and groups are those of the recordings' index. */
export interface Recording {
  readonly name: string;
  readonly group: string;
  readonly date: string;
  /** For example `/browse`. */
  readonly endpoint: string;
  readonly client: string | undefined;
  /** The recording's line in the index: IDs, counts of formats, playability. */
  readonly facts: Fields;
  readonly request: Fields;
  readonly status: number;
  /** The parsed JSON of the response, or its text. */
  readonly body: unknown;
}

/** The folder of recordings; undefined if the tests run without them. */
const recordingsFolder = process.env.RECORDINGS_DIR && join(process.env.RECORDINGS_DIR, 'p1');

let cache: readonly Recording[] | undefined;

/**
 * Returns all recordings of the site, read once per process, or none if `RECORDINGS_DIR` is not set. Writes to standard
 * output whether the recordings were read or skipped.
 */
export function recordings(): readonly Recording[] {
  if (cache !== undefined) return cache;
  cache = recordingsFolder ? readAll(recordingsFolder) : [];
  process.stdout.write(
    recordingsFolder
      ? `p1 recordings: ${cache.length} files read from ${recordingsFolder}\n`
      : 'p1 recordings: skipped, RECORDINGS_DIR is not set\n',
  );
  return cache;
}

/** Returns the recordings of some groups: `channel`, `search`, `playlist`, `watch` … */
export function recordingsOf(...groups: readonly string[]): readonly Recording[] {
  return recordings().filter(({ group }) => groups.includes(group));
}

/** Returns the recording with this name in the index. */
export function recording(name: string): Recording {
  const match = recordings().find((one) => one.name === name);
  if (match === undefined) throw new Error(`no recording is named ${name}`);
  return match;
}

function readAll(folder: string): readonly Recording[] {
  const index: unknown = JSON.parse(readFileSync(join(folder, 'INDEX.json'), 'utf8'));
  return list(index).map((line) => readOne(folder, fields(line)));
}

function readOne(folder: string, facts: Fields): Recording {
  const { name, group, date, endpoint, client } = facts;
  const bytes = readFileSync(join(folder, String(name)));
  const exchange = fields(JSON.parse((String(name).endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')));
  const { status, body } = fields(exchange.response);
  return {
    name: String(name),
    group: String(group),
    date: String(date),
    endpoint: String(endpoint),
    client: typeof client === 'string' ? client : undefined,
    facts,
    request: fields(exchange.request),
    status: typeof status === 'number' ? status : 200,
    body,
  };
}
