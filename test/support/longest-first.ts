import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow files by duration: if they began last, only they would be running at the end. */
const long = [
  'acceptance/storage-loss',
  'acceptance/cluster/',
  'acceptance/store-mark',
  'acceptance/cli/in-process',
  'acceptance/crash',
  'acceptance/upgrade/',
  'acceptance/resume',
  'acceptance/render-streaming-input',
  'acceptance/storage-outage',
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
  'database/embedded/open-engine',
  'database/embedded',
  'engine/integration/growing-inputs',
  'doctor/storage-identity',
  'stages/corpus.long',
  'engine/create-engine',
  'stages/tampered-results',
  'engine/integration/part-boundaries',
  'engine/integration/unusual-timing',
  'src/relay/',
  'src/http/connections/',
  'engine/mpeg-ts/',
  'src/database/',
  'cli/doctor/',
  'render/engine/',
  'render/download/',
  'render/stages/',
  'render/store-check/',
  'render/webhooks/',
  'src/storage/',
  '.property.test',
];

/** Starts with the files of a project that are known to take long; the others follow in Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const rank = long.findIndex((part) => moduleId.includes(part));
      return rank === -1 ? long.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
