import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { openExits } from '../egress/exits.ts';
import { extract, type FetchSource } from '../extraction/source/extract.ts';
import { createSourcePolicy } from '../extraction/source/source-policy.ts';
import { createPlatforms, platformProbes } from '../platforms/index.ts';
import { createRecorder } from '../recording/exchange-recorder.ts';
import { recordEndpoint } from '../recording/record-endpoint.ts';
import { createSealer } from '../sealing/sealer.ts';
import { type ProbeReport, reportOf } from './findings/probe-report.ts';
import { mergeProbes, readProbeFile } from './probe-file.ts';
import { saveRecording } from './record/save-recording.ts';
import { type ProbeAccess, runProbe } from './run-probe.ts';
import { type ProbePace, type RunCase, runProbes } from './run-probes.ts';
import { type ProbeSelection, selectProbes } from './select-probes.ts';

/** What to probe, and how. */
export interface ProbeRun extends ProbeSelection {
  /** The content of a probe file, which replaces or adds probes. */
  readonly file: string | undefined;
  /** Folder for the responses of the sites. */
  readonly record: string | undefined;
  readonly pace: ProbePace;
  readonly signal: AbortSignal;
  /** Called with the number of probes before the first one. */
  onStart(count: number): void;
}

/**
 * Probes the sites of the platforms with the settings of the service.
 *
 * @throws ProbesError for invalid probes; ConfigError for invalid settings; the signal's reason.
 */
export async function probeSites(config: Config, run: ProbeRun): Promise<ProbeReport> {
  const more = run.file === undefined ? {} : readProbeFile(run.file);
  const cases = selectProbes(createPlatforms(config), mergeProbes(platformProbes, more), run);
  const exits = openExits(config);
  try {
    run.onStart(cases.length);
    // Without a circuit breaker: a probe must report the site's own response, not the failures before it.
    const policy = createSourcePolicy({ ...config, BREAKER: undefined });
    const sealer = createSealer([randomBytes(32).toString('base64url')]);
    const access = {
      exits,
      sealer,
      fetchSource: (...[query, caller, signal]: Parameters<FetchSource>) =>
        extract(query, caller, { exits, policy }, signal),
    };
    return reportOf(await runProbes(cases, caseRunner(access, run.record), run.pace, run.signal));
  } finally {
    await exits.close();
  }
}

/** Returns how a case runs: its exchanges with the site are saved if there is a folder for them. */
function caseRunner(access: ProbeAccess, folder: string | undefined): RunCase {
  if (folder === undefined) return (probeCase, signal) => runProbe(probeCase, access, signal);
  return async (probeCase, signal) => {
    const recorder = createRecorder();
    const endpoint = recordEndpoint(probeCase.endpoint, recorder);
    const outcome = await runProbe({ ...probeCase, endpoint }, access, signal);
    await saveRecording(folder, probeCase, [...recorder.exchanges()]);
    return outcome;
  };
}
