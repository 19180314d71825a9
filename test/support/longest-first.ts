import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, by the time they take: begun last they would be waited for alone. */
const long = [
  'acceptance/storage-gone',
  'acceptance/cluster/',
  'acceptance/store-mark',
  'acceptance/cli/in-process',
  'acceptance/crash',
  'acceptance/upgrade/',
  'acceptance/resume',
  'acceptance/render-arriving',
  'acceptance/storage-away',
  'acceptance/accounts',
  'acceptance/page/',
  'acceptance/expiry',
  'acceptance/drain',
  'acceptance/render-notes',
  'acceptance/render-discontinuities',
  'security/openapi-fuzz',
  'acceptance/render-downloads',
  'acceptance/cli/',
  'acceptance/webhooks',
  'acceptance/geography',
  'acceptance/p3-refusals',
  'acceptance/render-sources',
  'acceptance/p4-users',
  'acceptance/render-operations',
  'acceptance/p4-posts',
  'engine/odd-media',
  'engine/operations',
  'engine/corpus-copies',
  'power-cut/power-cut',
  'database/embedded',
  'database/opening',
  'stages/corpus',
  'engine/streams',
  'engine/real-files',
];

/**
 * Begins with the files of the acceptance tests, and in each project with those that are known to take long; the others
 * follow as Vitest orders them. Projects do not alternate: a process takes up files of one, and goes before another's.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = long.findIndex((part) => moduleId.includes(part));
      return found === -1 ? long.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => {
      return one.project.name.localeCompare(other.project.name) || rank(one) - rank(other);
    });
  }
}
