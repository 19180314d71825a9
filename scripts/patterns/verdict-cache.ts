import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { judgeVersion, type Verdict, type VerdictCache } from '../tools/judge.ts';

/** Opens the cache in a file. A file that is missing, damaged or written under other rules counts as empty. */
export function openVerdictCache(file: string): VerdictCache {
  const cachedVerdicts = readVerdicts(file);
  return {
    get: (key) => cachedVerdicts.get(key),
    save(verdicts) {
      // Undecided patterns are judged again, because a faster machine may decide them.
      const decidedVerdicts = [...verdicts].filter(([, { kind }]) => kind !== 'unknown');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ version: judgeVersion, verdicts: decidedVerdicts }));
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
