import type { Job } from '../../contract/job.ts';
import type { FetchedBytes, ReceiptStatement } from '../../contract/receipt.ts';
import type { Hasher } from '../../files/hashing/hasher.ts';
import type { ReceiptSigner } from '../../receipts/receipt-signer.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ClaimedJob } from '../jobs/queue/claim-job.ts';
import type { FetchedMedia } from '../stages/fetch-media.ts';
import type { FinishedResult } from './finished-result.ts';
import { hashAdditions } from './hash-additions.ts';
import { hashInputs } from './hash-inputs.ts';
import { receiptStatement } from './receipt-statement.ts';
import type { AddedFiles } from './result-evidence.ts';

/** A result that is being hashed: its hash in base64, once it is known. */
export interface HashedOutput {
  readonly sha256: Promise<string | undefined>;
}

/** Issues the receipts of a worker's results. */
export interface ReceiptIssuer {
  /** Hashes the inputs while they arrive; the download receives it. */
  readonly hasher: Pick<Hasher, 'open'>;
  /** Returns the hashes of the bytes that were fetched of each input; see {@link hashInputs}. */
  hashInputs(job: Job, media: FetchedMedia, signal: AbortSignal): Promise<FetchedBytes[][]>;
  /** Returns the hashes of the files that the job adds; undefined if it adds none. See {@link hashAdditions}. */
  hashAdditions(media: FetchedMedia, signal: AbortSignal): Promise<AddedFiles | undefined>;
  /**
   * Starts to hash a result. When this settles, the result may be moved, but not changed. `sha256`, in base64, is
   * undefined if the store hashes the result, or the result gets no receipt. It may be left alone.
   */
  hashOutput(file: FinishedResult, storage: Pick<Storage, 'hashesFiles'>, signal: AbortSignal): Promise<HashedOutput>;
  /**
   * Returns the receipt of a stored result as JSON; undefined if it has no evidence.
   *
   * @param sha256 Hash of the stored file in base64.
   */
  issue(claim: Pick<ClaimedJob, 'job' | 'test'>, file: FinishedResult, sha256: string | undefined): string | undefined;
}

/** Dependencies of receipts. */
interface ReceiptServices {
  readonly hasher: Pick<Hasher, 'start' | 'open'>;
  readonly signer: Pick<ReceiptSigner, 'sign'>;
  /** Versions of the programs that make results. */
  readonly software: ReceiptStatement['software'];
}

/** Creates {@link ReceiptIssuer}. */
export function createReceiptIssuer({ hasher, signer, software }: ReceiptServices): ReceiptIssuer {
  return {
    hasher,
    hashInputs: (job, media, signal) => hashInputs(job, media, hasher, signal),
    hashAdditions: async ({ additions }, signal) => additions && (await hashAdditions(additions, hasher, signal)),
    async hashOutput({ path, bytes, evidence }, { hashesFiles }, signal) {
      if (hashesFiles === true || evidence === undefined) return { sha256: Promise.resolve(undefined) };
      const { proof, inputs } = evidence;
      const [unchanged] = proof.kind === 'unchanged' ? (inputs[0] ?? []) : [];
      if (unchanged !== undefined) return { sha256: Promise.resolve(toBase64(unchanged.sha256)) };
      const { hashed } = await hasher.start([{ path, position: 0, length: bytes }], signal);
      const sha256 = hashed.then((result) => toBase64(result.sha256));
      sha256.catch(() => undefined);
      return { sha256 };
    },
    issue({ job, test }, { bytes, notes, evidence }, sha256) {
      if (evidence === undefined || sha256 === undefined) return undefined;
      const output = { bytes, sha256: Buffer.from(sha256, 'base64').toString('hex') };
      return signer.sign(receiptStatement({ job, test, evidence, output, notes, software, finishedAt: new Date() }));
    },
  };
}

function toBase64(hexadecimal: string): string {
  return Buffer.from(hexadecimal, 'hex').toString('base64');
}
