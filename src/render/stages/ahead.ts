import { join } from 'node:path';
import type { Logger } from 'pino';
import { MillraceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/job.ts';
import { removeFile } from '../../files/remove.ts';
import type { DownloadContext, FetchedInput } from '../download/download.ts';
import type { HlsWatch, PlannedFile } from '../download/hls.ts';
import type { Engine } from '../engine/engine.ts';
import { type ArrivedRange, GrowingFiles } from '../engine/tasks/growing-files.ts';
import { filesOf } from '../engine/tasks/input-files.ts';
import type { ProcessReport } from '../engine/tasks/report.ts';
import type { EngineInput, ProcessTask } from '../engine/tasks/task.ts';
import { bytesOf, engineInputs, outputBound } from './engine-inputs.ts';

/** An operation that works on HLS inputs while they arrive. */
export interface Ahead {
  /** To be told how the inputs arrive. */
  readonly watch: HlsWatch;
  /**
   * Settles when the operation has ended, to be called when all inputs are there. Nothing when it could not be carried
   * out this way: the files are to be processed as any others.
   *
   * @throws MillraceError `processing_timeout`; the signal's reason when aborted.
   */
  result(inputs: readonly FetchedInput[], onProgress: (fraction: number) => void): Promise<AheadResult | undefined>;
  /** Ends the operation, if it still runs; settles when nothing of it is left. */
  stop(): Promise<void>;
}

/** What the operation made. */
export interface AheadResult {
  readonly path: string;
  readonly report: ProcessReport;
}

type AheadContext = Pick<DownloadContext, 'directory' | 'signal'> & { readonly engine: Engine; readonly log: Logger };

/** Makes ready to work ahead; nothing where the job's inputs are not all HLS playlists. */
export function workAhead(job: Job, context: AheadContext): Ahead | undefined {
  const { type, copyStreams } = job.operation;
  if (type === 'no_process' || job.inputs.some(({ ext }) => ext !== 'm3u8')) return undefined;
  const { directory, engine, log } = context;
  const output = { path: join(directory, `ahead.${job.output.ext}`), ext: job.output.ext };
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const planned: (readonly PlannedFile[])[] = [];
  const arrived = new Map<string, ArrivedRange>();
  let paths: readonly string[] = [];
  let growingFiles: GrowingFiles | undefined;
  let running: Promise<ProcessReport | undefined> = Promise.resolve(undefined);
  let hear: (fraction: number) => void = () => undefined;

  function begin(): void {
    const inputs = engineInputs(planned).map(whileArriving);
    paths = filesOf(inputs).map(({ path }) => path);
    growingFiles = new GrowingFiles(paths.map((path) => arrived.get(path) ?? { bytes: 0, whole: false }));
    const task = {
      directory,
      inputs,
      output,
      operation: { type: type as ProcessTask['operation']['type'], copyStreams },
      // Their sizes are not known yet; once they are, the result is held against those.
      maxOutputBytes: outputBound(job.inputSize.total, copyStreams),
    };
    running = engine
      .process(task, { signal, growingFiles, onProgress: (fraction) => hear(fraction) })
      .catch((error: unknown) => giveUp(error));
    // Awaited in result() or stop().
    running.catch(() => undefined);
  }

  async function giveUp(error: unknown): Promise<undefined> {
    await removeFile(output.path);
    const final = error instanceof MillraceError && error.code === 'processing_timeout';
    if (signal.aborted || final || !(error instanceof MillraceError)) throw error;
    log.info({ err: error }, 'the inputs could not be processed while they arrived; they are when they are there');
    return undefined;
  }

  return {
    watch: {
      planned(input, files) {
        planned[input] = files;
        if (Object.keys(planned).length === job.inputs.length) begin();
      },
      grown(path, now) {
        arrived.set(path, now);
        growingFiles?.report(paths.indexOf(path), now);
      },
    },
    async result(inputs, onProgress) {
      hear = onProgress;
      const report = await running;
      const bytes = bytesOf(inputs.flatMap(({ files }) => files));
      if (report === undefined) return undefined;
      if (report.bytes <= outputBound(bytes, copyStreams)) return { path: output.path, report };
      await removeFile(output.path);
      return undefined;
    },
    async stop() {
      stopping.abort(new Error('the job has ended'));
      await running.catch(() => undefined);
    },
  };
}

function whileArriving({ followedBy, ...first }: EngineInput): EngineInput {
  const growing = true;
  const others = followedBy?.map((part) => ({ ...part, growing: true as const }));
  return { ...first, growing, ...(others === undefined ? {} : { followedBy: others }) };
}
