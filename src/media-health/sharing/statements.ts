import { asynchronousCommit } from '../../database/asynchronous-commit.ts';
import type { Sql } from '../../database/database.ts';
import { MARK_LIFETIME_MS } from '../item-marks.ts';
import type { PlacedMark } from '../local-media-health.ts';
import { type MinuteCounts, timeOf } from './minute-counts.ts';
import type { Batch } from './outbox.ts';

/** The channel on which a node that has written something sends its ID. */
export const mediaHealthChannel = 'media_health';

/** How long counts are read, and how long they are stored at least, in seconds. */
const COUNTS_S = 900;
const KEEP_COUNTS_S = 1_200;
const MARKS_S = MARK_LIFETIME_MS / 1_000;

/** Maximum number of rows of each table that are read at once, and that are kept when old ones are deleted. */
const MAX_READ_ROWS = 5_000;
const MAX_KEPT_ROWS = 20_000;

/** Writes the changes of a node, and notifies the other nodes. It may be repeated. */
export async function writeBatch(sql: Sql, node: string, { counts, marks }: Batch): Promise<void> {
  await sql.query(
    `with counts as (
       insert into media_health (node, minute, platform, exit, profile, country, arrived, arrived_long, refused, cut,
         expired, failed, refused_at, refused_outcome, refused_status, refused_bytes)
       select $1::uuid, minute, platform, exit, profile, country, arrived, arrived_long, refused, cut, expired, failed,
         to_timestamp(refused_at / 1000), refused_outcome, refused_status, refused_bytes
       from jsonb_to_recordset($2::jsonb) as r(minute integer, platform text, exit text, profile text, country text,
         arrived integer, arrived_long integer, refused integer, cut integer, expired integer, failed integer,
         refused_at float8, refused_outcome text, refused_status integer, refused_bytes bigint)
       on conflict (node, minute, platform, exit, profile) do update set
         arrived = excluded.arrived, arrived_long = excluded.arrived_long, refused = excluded.refused,
         cut = excluded.cut, expired = excluded.expired, failed = excluded.failed, refused_at = excluded.refused_at,
         refused_outcome = excluded.refused_outcome, refused_status = excluded.refused_status,
         refused_bytes = excluded.refused_bytes, updated_at = now()
     ), marks as (
       insert into media_refusals (platform, exit, profile, item, refused, bytes, changed_at, node)
       select platform, exit, profile, item, refused, bytes, to_timestamp(changed_at / 1000), $1::uuid
       from jsonb_to_recordset($3::jsonb) as r(platform text, exit text, profile text, item text, refused boolean,
         bytes bigint, changed_at float8)
       order by platform, exit, profile, item
       on conflict (platform, exit, profile, item) do update set
         refused = excluded.refused, bytes = excluded.bytes, changed_at = excluded.changed_at, node = excluded.node,
         updated_at = now()
       where media_refusals.changed_at < excluded.changed_at
     )
     select pg_notify($4, $1::text) from ${asynchronousCommit}`,
    [node, JSON.stringify(counts.map(countsRow)), JSON.stringify(marks.map(markRow)), mediaHealthChannel],
  );
}

/** What other nodes have written. */
export interface OthersChanges {
  readonly counts: readonly (MinuteCounts & { readonly node: string })[];
  readonly marks: readonly PlacedMark[];
}

/** Reads what other nodes have written in the last `seconds`: counts of 15 minutes and marks of an hour at most. */
export async function readOthers(sql: Sql, node: string, seconds: number): Promise<OthersChanges> {
  const [counts, marks] = await Promise.all([
    sql.query<CountsRow & { node: string }>(
      `select node, minute, platform, exit, profile, country, arrived, arrived_long, refused, cut, expired, failed,
         (extract(epoch from refused_at) * 1000)::float8 as refused_at, refused_outcome, refused_status,
         refused_bytes::float8 as refused_bytes
       from media_health where node <> $1 and updated_at > now() - make_interval(secs => $2)
       order by updated_at desc limit ${MAX_READ_ROWS}`,
      [node, Math.min(seconds, COUNTS_S)],
    ),
    sql.query<MarkRow>(
      `select platform, exit, profile, item, refused, bytes::float8 as bytes,
         (extract(epoch from changed_at) * 1000)::float8 as changed_at
       from media_refusals where node <> $1 and updated_at > now() - make_interval(secs => $2)
       order by updated_at desc limit ${MAX_READ_ROWS}`,
      [node, Math.min(seconds, MARKS_S)],
    ),
  ]);
  return { counts: counts.map((row) => ({ node: row.node, ...countsOf(row) })), marks: marks.map(markOf) };
}

/** Deletes old rows, and the oldest ones of a table that has too many. */
export async function deleteOldRows(sql: Sql): Promise<void> {
  for (const [table, seconds] of [
    ['media_health', KEEP_COUNTS_S],
    ['media_refusals', MARKS_S],
  ] as const) {
    await sql.query(
      `delete from ${table} where updated_at < greatest(now() - make_interval(secs => $1),
         (select updated_at from ${table} order by updated_at desc offset ${MAX_KEPT_ROWS} limit 1))`,
      [seconds],
    );
  }
}

/** A row of `media_health`; times are milliseconds since 1970. */
interface CountsRow {
  readonly minute: number;
  readonly platform: string;
  readonly exit: string;
  readonly profile: string;
  readonly country: string | null;
  readonly arrived: number;
  readonly arrived_long: number;
  readonly refused: number;
  readonly cut: number;
  readonly expired: number;
  readonly failed: number;
  readonly refused_at: number | null;
  readonly refused_outcome: 'refused' | 'cut' | null;
  readonly refused_status: number | null;
  readonly refused_bytes: number | null;
}

/** A row of `media_refusals`; times are milliseconds since 1970. */
interface MarkRow {
  readonly platform: string;
  readonly exit: string;
  readonly profile: string;
  readonly item: string;
  readonly refused: boolean;
  readonly bytes: number;
  readonly changed_at: number;
}

function countsRow({ minute, place, profile, tally, lastRefusal }: MinuteCounts): CountsRow {
  const { arrivedLong, ...tallies } = tally;
  return {
    minute,
    platform: place.platform,
    exit: place.exit,
    profile,
    country: place.country ?? null,
    ...tallies,
    arrived_long: arrivedLong,
    refused_at: lastRefusal?.at ?? null,
    refused_outcome: lastRefusal?.outcome ?? null,
    refused_status: lastRefusal?.status ?? null,
    refused_bytes: lastRefusal?.bytes ?? null,
  };
}

function countsOf(row: CountsRow): MinuteCounts {
  const { minute, platform, exit, profile, country, arrived, arrived_long, refused, cut, expired, failed } = row;
  const { refused_at: at, refused_outcome: outcome, refused_status: status, refused_bytes: bytes } = row;
  const lastRefusal =
    at === null || outcome === null
      ? {}
      : { lastRefusal: { at, outcome, bytes: bytes ?? 0, ...(status === null ? {} : { status }) } };
  return {
    minute,
    at: timeOf(minute),
    place: { platform, exit, ...(country === null ? {} : { country }) },
    profile,
    tally: { arrived, arrivedLong: arrived_long, refused, cut, expired, failed },
    ...lastRefusal,
  };
}

function markRow({ place, profile, item, isRefused, bytes, at }: PlacedMark): MarkRow {
  const { platform, exit } = place;
  return { platform, exit, profile, item, refused: isRefused, bytes, changed_at: at };
}

function markOf({ platform, exit, profile, item, refused, bytes, changed_at }: MarkRow): PlacedMark {
  return { place: { platform, exit }, profile, item, isRefused: refused, bytes, at: changed_at };
}
