import { readRecordings } from '../../../../test/support/recordings.ts';
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

let cache: readonly Recording[] | undefined;

/** Returns all recordings that the index lists, read once per process, or none if `RECORDINGS_DIR` has none. */
export function recordings(): readonly Recording[] {
  cache ??= readAll(readRecordings('p1'));
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

function readAll(files: ReadonlyMap<string, string>): readonly Recording[] {
  const index: unknown = JSON.parse(files.get('INDEX.json') ?? '[]');
  return list(index).map((line) => readOne(files, fields(line)));
}

function readOne(files: ReadonlyMap<string, string>, facts: Fields): Recording {
  const { name, group, date, endpoint, client } = facts;
  const exchange = fields(JSON.parse(files.get(String(name)) ?? '{}'));
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
