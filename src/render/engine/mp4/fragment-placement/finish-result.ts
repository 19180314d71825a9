import { join } from 'node:path';
import { noAdditions, type RequestedAdditions } from '../../tasks/additions.ts';
import type { ProcessReport } from '../../tasks/report.ts';
import type { EngineInput, FinishTask } from '../../tasks/task.ts';
import { openInputFile, openOutputFile } from '../open-files.ts';
import { type Pacer, writeLayout } from '../write-layout.ts';
import { finishPlacement, inputLayout, type PendingWrite } from './finish-placement.ts';
import { type Placement, placeFragments } from './place-fragments.ts';

/** Outcome of completing a result: the result, or its inputs and the reason why the engine must process them. */
type FinishOutcome =
  | { readonly report: ProcessReport }
  | { readonly declined: string; readonly inputs: readonly EngineInput[] };

/**
 * Writes the index of a result whose media is already placed. If that is not possible, reassembles the inputs from the
 * result.
 *
 * @throws MillraceError `input_incomplete` if the fragments are shorter than their index declares, `input_unreadable` if
 * they are damaged, `processing_failed` if the index cannot be written.
 */
export async function finishMp4(task: FinishTask, additions: RequestedAdditions = noAdditions): Promise<FinishOutcome> {
  const { path, ext } = task.output;
  // The fragments were fetched with the same placement, because it depends only on the heads.
  const plannedPlacement = placeFragments(task.heads, task.operation, ext, additions);
  if ('declined' in plannedPlacement)
    throw new Error(`the heads could be placed before, but not now: ${plannedPlacement.declined}`);
  const completion = computeWrites(plannedPlacement.placement, path);
  if ('declined' in completion) return { ...completion, inputs: await extractInputs(plannedPlacement.placement, task) };
  await writeAll(completion.writes, path);
  return { report: completion.report };
}

function computeWrites(placement: Placement, path: string) {
  const file = openInputFile(path);
  try {
    return finishPlacement(placement, file.source);
  } finally {
    file.close();
  }
}

async function writeAll(writes: readonly PendingWrite[], path: string): Promise<void> {
  const file = await openOutputFile(path, 'r+');
  try {
    for (const { position, bytes } of writes) await file.write(bytes, position);
  } finally {
    await file.close();
  }
}

/** Reassembles the inputs from their placed fragments. */
async function extractInputs(placement: Placement, { directory, output, heads }: FinishTask): Promise<EngineInput[]> {
  const inputs = placement.inputs.map((_, at): EngineInput => {
    const language = heads[at]?.language;
    return { path: join(directory, `taken-apart-${at + 1}.mp4`), ...(language === undefined ? {} : { language }) };
  });
  const resultFile = openInputFile(output.path);
  try {
    for (const [at, { path }] of inputs.entries())
      await writeLayout(inputLayout(placement, at), [resultFile], path, silent);
  } finally {
    resultFile.close();
  }
  return inputs;
}

/** Only the subsequent processing reports progress. */
const silent: Pacer = { shouldReport: false, reportAndYield: async () => undefined };
