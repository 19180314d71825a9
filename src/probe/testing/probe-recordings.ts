import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { recordingsFolders } from '../../../test/support/recordings.ts';
import type { RecordedExchange } from '../../recording/recorded-exchange.ts';

/** The exchanges that `millrace probe --record` has saved for one probe, and the probe. */
export interface ProbeRecording {
  /** Platform, probe and strategy, such as `p4 video.desktop`. */
  readonly name: string;
  readonly platform: string;
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly strategy?: string;
  readonly expects: readonly string[];
  readonly pages?: string;
  readonly exchanges: readonly RecordedExchange[];
}

/** Reads the recordings of probes in some folders, such as `p1/probes/video`. */
export function readProbeRecordings(folders: readonly string[] = recordingsFolders): readonly ProbeRecording[] {
  return folders
    .flatMap(foldersIn)
    .flatMap((platform) => foldersIn(join(platform, 'probes')))
    .filter((folder) => existsSync(join(folder, 'probe.json')))
    .map(readRecording);
}

function readRecording(folder: string): ProbeRecording {
  return {
    ...JSON.parse(readFileSync(join(folder, 'probe.json'), 'utf8')),
    name: `${basename(dirname(dirname(folder)))} ${basename(folder)}`,
    exchanges: readExchanges(folder),
  };
}

/** Reads `1.json.gz`, `2.json.gz` and so on, or `exchanges.json`: the response of `GET /admin/unread/{id}`. */
function readExchanges(folder: string): readonly RecordedExchange[] {
  const kept = join(folder, 'exchanges.json');
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')).exchanges;
  const number = (name: string) => Number.parseInt(name, 10);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json.gz'))
    .toSorted((a, b) => number(a) - number(b))
    .map((name) => JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString()));
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .toSorted();
}
