import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { renderPaths } from '../../contract/render-api/paths.ts';
import { sizeText } from '../../contract/size-text.ts';
import type { Sql } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { tenantOfJob, visitors } from './tenants.ts';

/** What limits the finished files of a tenant (`tenants.ts`). */
export interface StoredLimits {
  /** Bytes that the plan allows; absent without a limit. */
  readonly quota?: number;
  /** The disk of the store; absent for a store that is not a disk. */
  readonly disk?: StoreDisk;
}

/** The disk of a store, in bytes. */
export interface StoreDisk {
  readonly free: number;
  /** What must stay free (`WORKER_DISK_RESERVE`). */
  readonly reserve: number;
}

/** Bytes of finished files. */
export interface StoredSizes {
  /** Those of the tenant. */
  readonly own: number;
  /** Those of all tenants. */
  readonly all: number;
}

/** The part of the space for finished files that those of one tenant may take. The rest is left to the others. */
const DISK_SHARE = 0.5;

/**
 * Returns the limit in bytes that does not allow a tenant a file of `bytes` more; undefined if all do. The file that
 * reaches the quota is stored, because the size is known only after its work is done. The disk has no space for that.
 */
export function exceededLimit({ quota, disk }: StoredLimits, { own, all }: StoredSizes, bytes: number) {
  if (quota !== undefined && own >= quota) return quota;
  // Large files can be made on a small disk, too: the first one took at least as much space while its job ran.
  if (disk === undefined || own === 0) return undefined;
  // A tenant with less than the reserve is not the reason why the disk is full.
  const share = Math.max(disk.reserve, Math.floor((all + disk.free - disk.reserve) * DISK_SHARE));
  return own + bytes > share ? share : undefined;
}

/** Measures the disk of a store. Returns undefined if the store is not a disk, or does not respond. */
export async function measureDisk(
  storage: Pick<Storage, 'freeBytes'>,
  reserve: number,
): Promise<StoreDisk | undefined> {
  // Calls that need the store report its failures.
  const free = await storage.freeBytes?.().catch(() => undefined);
  return free === undefined ? undefined : { free, reserve };
}

/** Reads the sizes of the finished files of a tenant and of all. */
export async function readStoredSizes(sql: Sql, tenant: string): Promise<StoredSizes> {
  const [row] = await sql.query<StoredSizes>(
    `select coalesce(sum(bytes) filter (where tenant = $1), 0)::float8 as own, coalesce(sum(bytes), 0)::float8 as all
     from stored_sizes`,
    [tenant],
  );
  return row ?? { own: 0, all: 0 };
}

/** Whether the file of a job is stored, and not only delivered. */
export function isStored({ output }: Pick<Job, 'output'>): boolean {
  return output.delivery?.keep !== false;
}

/** Returns the error of a start whose tenant stores as much as it may; undefined if it stores less. */
export async function storedSizeRefusal(
  sql: Sql,
  tenant: string,
  limits: StoredLimits,
): Promise<MillraceError | undefined> {
  const sizes = await readStoredSizes(sql, tenant);
  const limit = exceededLimit(limits, sizes, 1);
  return limit === undefined ? undefined : storedSizeError(tenant, sizes.own, limit, await nextExpiry(sql, tenant));
}

/** Returns the seconds until the next file of a tenant expires. */
async function nextExpiry(sql: Sql, tenant: string): Promise<number> {
  const [next] = await sql.query<{ seconds: number | null }>(
    `select ceil(extract(epoch from min(expires_at) - now()))::integer as seconds from render_jobs
     where ${tenantOfJob} = $1 and state = 'done' and file_key is not null`,
    [tenant],
  );
  return Math.max(1, next?.seconds ?? 1);
}

function storedSizeError(tenant: string, own: number, limit: number, seconds: number): MillraceError {
  const { method, path } = renderPaths.cancelJob;
  const sizes = `${sizeText(own)} of finished files and may store ${sizeText(limit)}`;
  const wait = `start this job in ${Math.ceil(seconds / 60)} min, when the next file expires`;
  const message =
    tenant === visitors
      ? `The visitors of this service store ${sizes}. You can ${wait}.`
      : `Your key stores ${sizes}. Delete files that you no longer need (${method} ${path}?finished=delete), or ${wait}.`;
  return new MillraceError('rate_limited', message, { retryAfter: seconds });
}
