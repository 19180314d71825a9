import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { judgeVersion, type Verdict } from './judge.ts';

/** Verdicts of earlier runs. */
export interface VerdictCache {
  get(key: string): Verdict | undefined;
  /** Keeps these verdicts for the next run, and drops all others. */
  save(verdicts: ReadonlyMap<string, Verdict>): void;
}

/** Opens the cache in a file. A file that is missing, damaged or from other rules counts as empty. */
export function openVerdictCache(file: string): VerdictCache {
  const known = readVerdicts(file);
  return {
    get: (key) => known.get(key),
    save(verdicts) {
      // A faster machine may decide what this one could not.
      const decided = [...verdicts].filter(([, { kind }]) => kind !== 'unknown');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ version: judgeVersion, verdicts: decided }));
    },
  };
}

function readVerdicts(file: string): ReadonlyMap<string, Verdict> {
  try {
    const { version, verdicts } = JSON.parse(readFileSync(file, 'utf8'));
    return new Map(version === judgeVersion ? verdicts : []);
  } catch {
    return new Map();
  }
}
