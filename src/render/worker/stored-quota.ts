import { MillraceError } from '../../contract/errors.ts';
import { sizeText } from '../../contract/size-text.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import { exceededLimit, type StoreDisk, type StoredSizes } from '../jobs/stored-size.ts';
import { tenantOf } from '../jobs/tenants.ts';
import { retryDatabaseCall } from './retry-database-call.ts';

/** The failure of a job whose file its tenant may not store. It is no fault of the service. */
export class StoredSizeExceeded extends MillraceError {
  constructor(bytes: number, own: number, limit: number, isVisitor: boolean) {
    const stored = `${sizeText(own)} of finished files and may store ${sizeText(limit)}`;
    const file = `There is no space for the file of ${sizeText(bytes)}`;
    const message = isVisitor
      ? `${file}: the visitors of this service store ${stored}. Start the same job again later.`
      : `${file}: your key stores ${stored}. Delete files that you no longer need, and start the same job again.`;
    super('storage_failed', message);
  }
}

/** How the database is called. */
type DatabaseCall = Parameters<typeof retryDatabaseCall>[1];

type Claim = Pick<ClaimedJob, 'run' | 'owner' | 'visitor' | 'storedQuota'>;

/** Limits the files that the jobs of a tenant store. Starts check the limits too, but do not know how large files become. */
export interface StoredQuota {
  /**
   * Reserves the space of a run's file, instead of what the run has reserved before. Other files that are about to be
   * stored count, too.
   *
   * @throws StoredSizeExceeded; the errors of {@link retryDatabaseCall}.
   */
  reserve(claim: Claim, bytes: number, call: DatabaseCall): Promise<void>;
  /** Releases what a run has reserved. Its file counts as stored by now, if it has one. */
  release(run: string): void;
}

/** Dependencies of a worker's quota. */
interface QuotaServices {
  readonly sizes: (tenant: string) => Promise<StoredSizes>;
  readonly disk: () => Promise<StoreDisk | undefined>;
}

/** Opens the quota of the results of a worker. */
export function openStoredQuota({ sizes, disk }: QuotaServices): StoredQuota {
  const reserved = new Map<string, { readonly tenant: string; readonly bytes: number }>();
  let releases = 0;

  /** Reads the sizes at a time at which every other result is either reserved or stored. Repeats it if a run ends. */
  async function measure(tenant: string, call: DatabaseCall): Promise<StoredSizes> {
    for (;;) {
      const before = releases;
      const stored = await retryDatabaseCall(() => sizes(tenant), call);
      if (before === releases) return stored;
    }
  }

  return {
    async reserve({ run, owner, visitor, storedQuota }, bytes, call) {
      const tenant = tenantOf(owner, visitor);
      const measuredDisk = await disk();
      const stored = await measure(tenant, call);
      reserved.delete(run);
      const others = [...reserved.values()];
      const own = stored.own + sum(others.filter((each) => each.tenant === tenant));
      // The reserved files are on the disk already.
      const all = stored.all + sum(others) + bytes;
      const limits = {
        ...(storedQuota === undefined ? {} : { quota: storedQuota }),
        ...(measuredDisk === undefined ? {} : { disk: measuredDisk }),
      };
      const limit = exceededLimit(limits, { own, all }, bytes);
      if (limit !== undefined) throw new StoredSizeExceeded(bytes, own, limit, visitor);
      reserved.set(run, { tenant, bytes });
    },
    release(run) {
      if (reserved.delete(run)) releases += 1;
    },
  };
}

function sum(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}
