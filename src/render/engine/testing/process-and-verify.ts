import type { Clip } from '../../../contract/clip.ts';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { EncodingOptions } from '../../../contract/encoding.ts';
import type { Engine } from '../engine.ts';
import type { ProbeReport, ProcessReport } from '../tasks/report.ts';
import type { EngineInput, TaskOutput } from '../tasks/task.ts';
import type { EngineOperation } from '../track-plan/source-stream.ts';
import { verifyResult } from '../verification/verify-result.ts';
import type { MediaDirectory } from './test-media.ts';

/** A conversion of files. */
interface Conversion extends EncodingOptions {
  /** Names of files in the directory, or inputs. */
  readonly inputs: readonly (string | EngineInput)[];
  readonly ext: OutputContainer;
  /** Default: `convert_format`. */
  readonly type?: EngineOperation;
  /** Default: true. */
  readonly copyStreams?: boolean;
  /** Additions to the result. */
  readonly output?: Partial<TaskOutput>;
  readonly clip?: Clip;
}

/** Carries out an operation, and verifies the result in the same way as the service: with a new reader. */
export async function processAndVerify(
  engine: Engine,
  media: MediaDirectory,
  { inputs, ext, type = 'convert_format', copyStreams = true, output, clip, ...encoding }: Conversion,
): Promise<{ readonly path: string; readonly report: ProcessReport; readonly probe: ProbeReport }> {
  const { signal } = new AbortController();
  const directory = media.path;
  const path = media.file(`result.${ext}`);
  const report = await engine.process(
    {
      directory,
      inputs: inputs.map((input) => (typeof input === 'string' ? { path: media.file(input) } : input)),
      output: { ...output, path, ext },
      operation: { type, copyStreams, ...encoding },
      maxOutputBytes: 100_000_000,
      ...(clip && { clip }),
    },
    { signal },
  );
  const probe = await engine.probe({ directory, path, ext }, { signal });
  verifyResult(report, probe, clip, encoding.duration);
  return { path, report, probe };
}
