/** @module-tag long */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputContainers } from '../../../contract/containers.ts';
import { clips } from '../testing/corpus/clips.ts';
import { members } from '../testing/corpus/members.ts';
import type { Outcome } from '../testing/corpus/outcome.ts';
import { selectMembers, traitsOf } from '../testing/corpus/select-members.ts';
import { sourceNames } from '../testing/corpus/sources.ts';
import { thirdPartyFiles } from '../testing/corpus/third-party-files.ts';
import { type MediaDirectory, makeTestDirectory, runWithMediaLibrary } from '../testing/test-media.ts';

/** COPIES=all copies the whole corpus. Every CI run copies a subset that covers all cases. */
const whole = process.env.COPIES === 'all';
const shards = whole ? 2 : 1;
const tried = whole ? members : selectMembers();
const files = tried.length + thirdPartyFiles.length;

let directory: MediaDirectory;
let outcomes: readonly Outcome[];
beforeAll(async () => {
  directory = makeTestDirectory();
  const timeout = whole ? 1_800_000 : 400_000;
  const parts = Array.from({ length: shards }, (_, shard) => {
    return runWithMediaLibrary(
      'copy-corpus',
      [directory.path, whole ? 'whole' : 'part', `${shard}`, `${shards}`],
      timeout,
    );
  });
  const lines = (await Promise.all(parts)).flatMap((text) => text.trimEnd().split('\n'));
  outcomes = lines.map((line): Outcome => JSON.parse(line));
}, 1_800_000);
afterAll(() => directory?.remove());

const faulty = (endings: readonly Outcome['ending'][]) => {
  return outcomes
    .filter(({ ending, faults }) => endings.includes(ending) && faults.length > 0)
    .flatMap(({ member, ext, faults }) => faults.map((fault) => `${member} → ${ext}: ${fault}`));
};

describe(`copies of ${whole ? 'all' : 'a subset'} of the corpus`, () => {
  it('were attempted for every container, and all were completed or refused', () => {
    const count = outcomes.filter(({ ending }) => ending !== 'encoded').length;
    const last = outcomes.at(-1)?.member;
    expect(count, `the last one was ${last}`).toBe(files * Object.keys(outputContainers).length);
  });

  it('have the streams, packets, timestamps and descriptions of their sources', () => {
    expect(faulty(['copied'])).toEqual([]);
  });

  it('are refused exactly when the container table excludes them', () => {
    expect(faulty(['refused'])).toEqual([]);
  });

  it('keep their duration and audio offset when encoded', () => {
    expect(outcomes.some(({ ending }) => ending === 'encoded')).toBe(true);
    expect(faulty(['encoded'])).toEqual([]);
  });

  it('cover every clip, every source container and every variation', () => {
    const covered = new Set(tried.flatMap(traitsOf));
    const expected = [...clips.keys(), ...sourceNames.map((name) => `in ${name}`), ...members.flatMap(traitsOf)];
    expect(expected.filter((trait) => !covered.has(trait))).toEqual([]);
  });
});
