import { join } from 'node:path';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { removeFile } from '../../files/remove-tree.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import type { FetchedAdditions } from '../download/additions/fetch-additions.ts';
import type { HlsListener, PlaylistFile } from '../download/download-hls.ts';
import type { DownloadContext, FetchedInput } from '../download/download-inputs.ts';
import type { FileProgress } from '../download/file-progress.ts';
import type { Engine } from '../engine/engine.ts';
import { GrowingFiles } from '../engine/tasks/growing-files.ts';
import { filesOf } from '../engine/tasks/input-files.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import type { EngineInput, ProcessTask } from '../engine/tasks/task.ts';
import { isMeasured } from '../engine/timing/duration-rules.ts';
import { addedInputs, engineInputs, outputByteLimit, totalFileBytes } from './engine-inputs.ts';
import { taskParametersOf } from './task-parameters.ts';

/** An operation that processes HLS inputs while they arrive. */
export interface StreamingOperation {
  /** Must receive the progress of the inputs. */
  readonly listener: HlsListener;
  /**
   * Waits for the operation to end. Call it when all inputs are complete.
   *
   * @throws MillraceError `processing_timeout`; the signal's reason when aborted.
   */
  result(inputs: readonly FetchedInput[], onProgress: (fraction: number) => void): Promise<StreamingResult>;
  /** Ends the operation if it still runs; settles when everything is cleaned up. */
  stop(): Promise<void>;
}

/** The result of a streaming operation, or the reason why the complete files must be processed instead. */
type StreamingResult =
  | { readonly kind: 'streamed'; readonly path: string; readonly report: ProcessReport }
  | { readonly kind: 'declined'; readonly reason: string };

/** A streaming operation, or the reason why a job cannot have one. */
type StreamingAttempt =
  | { readonly kind: 'streaming'; readonly operation: StreamingOperation }
  | { readonly kind: 'declined'; readonly reason: string };

type StreamingContext = Pick<DownloadContext, 'directory' | 'signal'> & {
  readonly engine: Engine;
  readonly log: Logger;
  /** The files that the job adds to its result; absent if it adds none. */
  readonly additions?: Promise<FetchedAdditions> | undefined;
};

/**
 * Opens the streaming operation of a job. It starts when the playlists of all inputs have been read and the files that the
 * job adds have been fetched.
 */
export function openStreamingOperation(job: Job, context: StreamingContext): StreamingAttempt {
  const { type } = job.operation;
  if (type === 'no_process' || type === 'slideshow') {
    return { kind: 'declined', reason: 'the inputs are not processed as streams' };
  }
  if (job.output.maxSize !== undefined) {
    return { kind: 'declined', reason: 'the inputs are encoded more than once' };
  }
  if (job.operation.loudness !== undefined) {
    return { kind: 'declined', reason: 'the inputs are read once more to measure their loudness' };
  }
  if (isMeasured(job.operation.duration)) {
    return { kind: 'declined', reason: 'the inputs are read once more to measure their durations' };
  }
  if (job.inputs.some(({ ext }) => ext !== 'm3u8')) {
    return { kind: 'declined', reason: 'not all inputs are HLS playlists' };
  }
  return { kind: 'streaming', operation: createStreamingOperation(job, type, context) };
}

function createStreamingOperation(
  job: Job,
  type: ProcessTask['operation']['type'],
  context: StreamingContext,
): StreamingOperation {
  const { directory, engine, log, additions } = context;
  const { copyStreams } = job.operation;
  const path = join(directory, `streamed.${job.output.ext}`);
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const filesOfInputs: (readonly PlaylistFile[])[] = [];
  const progressByPath = new Map<string, FileProgress>();
  /** The indexes of the files, by their paths. */
  let indexes: ReadonlyMap<string, number> = new Map();
  let growingFiles: GrowingFiles | undefined;
  let running: Promise<ProcessReport | undefined> = Promise.resolve(undefined);
  let report: (fraction: number) => void = () => undefined;

  function start(): void {
    const inputs = engineInputs(job, filesOfInputs).map(markGrowing);
    const paths = filesOf(inputs).map((file) => file.path);
    indexes = new Map(paths.map((each, index) => [each, index]));
    const files = new GrowingFiles(paths.map((each) => progressByPath.get(each) ?? { bytes: 0, whole: false }));
    growingFiles = files;
    const processing =
      additions === undefined
        ? process(inputs, files)
        : untilAborted(additions, signal).then((added) => process(inputs, files, added));
    running = processing.catch((error: unknown) => giveUp(error));
    // Awaited in result() or stop().
    running.catch(() => undefined);
  }

  function process(
    inputs: readonly EngineInput[],
    files: GrowingFiles,
    added?: FetchedAdditions,
  ): Promise<ProcessReport> {
    const parameters = taskParametersOf(job, type, added?.cover);
    const task = {
      ...parameters,
      directory,
      inputs: added === undefined ? inputs : [...inputs, ...addedInputs(added)],
      output: { ...parameters.output, path },
      // The sizes of the inputs are unknown here; once they are known, the result is compared with them.
      maxOutputBytes: outputByteLimit(job.inputSize.total, copyStreams),
    };
    return engine.process(task, { signal, growingFiles: files, onProgress: (fraction) => report(fraction) });
  }

  async function giveUp(error: unknown): Promise<undefined> {
    await removeFile(path);
    const final = error instanceof MillraceError && error.code === 'processing_timeout';
    if (signal.aborted || final || !(error instanceof MillraceError)) throw error;
    log.info(
      { err: error },
      'the inputs could not be processed during the download; they will be processed when complete',
    );
    return undefined;
  }

  return {
    listener: {
      onFiles(input, files) {
        filesOfInputs[input] = files;
        if (Object.keys(filesOfInputs).length === job.inputs.length) start();
      },
      onFileProgress(path, progress) {
        progressByPath.set(path, progress);
        const index = indexes.get(path);
        if (index !== undefined) growingFiles?.report(index, progress);
      },
    },
    async result(inputs, onProgress) {
      report = onProgress;
      const processReport = await running;
      if (processReport === undefined) {
        return { kind: 'declined', reason: 'the inputs could not be processed during the download' };
      }
      const bytes = totalFileBytes(inputs.flatMap(({ files }) => files));
      if (processReport.bytes <= outputByteLimit(bytes, copyStreams))
        return { kind: 'streamed', path, report: processReport };
      await removeFile(path);
      return { kind: 'declined', reason: 'the result is larger than its inputs allow' };
    },
    async stop() {
      stopping.abort(new Error('the job has ended'));
      await running.catch(() => undefined);
    },
  };
}

function markGrowing({ followedBy, ...first }: EngineInput): EngineInput {
  const growing = true;
  const others = followedBy?.map((part) => ({ ...part, growing: true as const }));
  return { ...first, growing, ...(others === undefined ? {} : { followedBy: others }) };
}
