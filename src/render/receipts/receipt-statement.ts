import type { VideoShape } from '../../contract/encoding.ts';
import type { Job, JobInput } from '../../contract/job.ts';
import type { ItemOrigin } from '../../contract/media-origin.ts';
import type { OutputNote } from '../../contract/output-notes.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { type ReceiptStatement, receiptVersion } from '../../contract/receipt.ts';
import { testMember } from '../../contract/test-member.ts';
import type { ResultEvidence } from './result-evidence.ts';
import { statedAdditions } from './stated-additions.ts';
import { statedParameters } from './stated-parameters.ts';

/** What a statement is made from. */
interface StatedResult {
  readonly job: Job;
  /** Whether a test key started the job. */
  readonly test: boolean;
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
  const { job, test, evidence, output, notes, finishedAt, software } = result;
  const { origin, clip } = job;
  const item = origin ?? job.item;
  const additions = statedAdditions(job, evidence.addedFiles, item === undefined);
  return {
    version: receiptVersion,
    item: item === undefined ? null : itemOf(item),
    inputs: job.inputs.map((input, index) => inputOf(input, index, job, evidence)),
    exitCountry: evidence.exitCountry ?? null,
    operation: operationOf(job),
    ...(clip === undefined ? {} : { clip }),
    ...(additions === undefined ? {} : { additions }),
    output,
    proof: evidence.proof,
    notes: item === undefined ? [...notes] : notes.map(withoutHost),
    startedAt: evidence.startedAt,
    finishedAt: finishedAt.toISOString(),
    software,
    ...testMember(test),
  };
}

function itemOf({ platform, endpoint, parameters, content, profile }: ItemOrigin): ReceiptStatement['item'] {
  return { platform, endpoint, parameters: statedParameters(parameters), content, profile: profile ?? null };
}

function operationOf({ operation: { video, volumes, ...operation }, output }: Job): ReceiptStatement['operation'] {
  return {
    ...operation,
    ...(video === undefined ? {} : { video: videoShapeOf(video) }),
    ...(volumes === undefined ? {} : { volumes: [...volumes] }),
    container: output.ext,
    ...(output.maxSize === undefined ? {} : { maxSize: output.maxSize }),
  };
}

/** Returns the shape of a video as job descriptions write it. */
function videoShapeOf({ crop, ...shape }: VideoShape): NonNullable<ReceiptStatement['operation']['video']> {
  return crop === undefined ? shape : { ...shape, crop: `${crop.width}:${crop.height}` };
}

/** Removes the reason of a note about an outside file, which may name a host that shows where the exit is. */
function withoutHost(note: OutputNote): OutputNote {
  if (note.code !== 'cover_left_out' && note.code !== 'subtitles_left_out') return note;
  const [subject = '', ...reason] = note.message.split(': ');
  return reason.length === 0 ? note : { ...note, message: `${subject}.` };
}

/** The host of an item's media is left out, because it may show where the exit is. */
function inputOf(
  { ext, url, language }: JobInput,
  index: number,
  { origin, item }: Pick<Job, 'origin' | 'item'>,
  { inputs, links }: ResultEvidence,
): ReceiptStatement['inputs'][number] {
  const representation = origin?.representations[index];
  const use = links?.[index];
  return {
    ext,
    ...(language === undefined ? {} : { language }),
    representation: representation === undefined ? null : { repId: representation.repId, kind: representation.kind },
    host: (origin ?? item) === undefined ? validUrl(url).hostname : null,
    ...(use === undefined ? {} : { links: use }),
    files: inputs[index] ?? [],
  };
}
