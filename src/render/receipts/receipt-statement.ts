import type { Job, JobInput } from '../../contract/job.ts';
import type { JobOrigin } from '../../contract/media-origin.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import { type ReceiptStatement, receiptVersion } from '../../contract/receipt.ts';
import type { ResultEvidence } from './result-evidence.ts';
import { statedParameters } from './stated-parameters.ts';

/** What a statement is made from. */
interface StatedResult {
  readonly job: Job;
  readonly evidence: ResultEvidence;
  /** The stored file. `sha256` is hexadecimal. */
  readonly output: { readonly bytes: number; readonly sha256: string };
  readonly notes: readonly OutputNote[];
  readonly finishedAt: Date;
  readonly software: ReceiptStatement['software'];
}

/**
 * Returns the statement about a result. It may be shown to anyone: it names no link to media, no cookie, no exit, and
 * neither the job nor its owner, because the ID of a job gives access to its file.
 */
export function receiptStatement(result: StatedResult): ReceiptStatement {
  const { job, evidence, output, notes, finishedAt, software } = result;
  const { origin, operation, clip } = job;
  return {
    version: receiptVersion,
    item: origin === undefined ? null : itemOf(origin),
    inputs: job.inputs.map((input, index) => inputOf(input, index, origin, evidence)),
    exitCountry: evidence.exitCountry ?? null,
    operation: { ...operation, container: job.output.ext },
    ...(clip === undefined ? {} : { clip }),
    output,
    proof: evidence.proof,
    notes: [...notes],
    startedAt: evidence.startedAt,
    finishedAt: finishedAt.toISOString(),
    software,
  };
}

function itemOf({ platform, endpoint, parameters, content, profile }: JobOrigin): ReceiptStatement['item'] {
  return { platform, endpoint, parameters: statedParameters(parameters), content, profile: profile ?? null };
}

/** The host of an item's media is left out, because it may show where the exit is. */
function inputOf(
  { ext, url }: JobInput,
  index: number,
  origin: JobOrigin | undefined,
  { inputs, links }: ResultEvidence,
): ReceiptStatement['inputs'][number] {
  const representation = origin?.representations[index];
  const use = links?.[index];
  return {
    ext,
    representation: representation === undefined ? null : { repId: representation.repId, kind: representation.kind },
    host: origin === undefined ? new URL(url).hostname : null,
    ...(use === undefined ? {} : { links: use }),
    files: inputs[index] ?? [],
  };
}
