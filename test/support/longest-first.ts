import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow files by duration: if they began last, only they would be running at the end. */
const long = [
  'acceptance/storage-loss',
  'acceptance/crash',
  'acceptance/resume',
  'acceptance/page/failures',
  'acceptance/render-streaming-input',
  'acceptance/store-mark',
  'acceptance/render-operations',
  'acceptance/drain',
  'acceptance/cli/',
  'acceptance/render-notes',
  'acceptance/render-downloads',
  'acceptance/render-encoding',
  'acceptance/expiry',
  'acceptance/storage-outage',
  'acceptance/p1-requests',
  'acceptance/accounts',
  'acceptance/cluster/',
  'acceptance/page/',
  'acceptance/upgrade/',
  'acceptance/render-additions',
  'acceptance/render-segments',
  'acceptance/p4-posts',
  'security/openapi-fuzz',
  'acceptance/render-discontinuities',
  'acceptance/render-sources',
  'acceptance/p3-refusals',
  'acceptance/long-orders',
  'acceptance/store-read-failures',
  'acceptance/webhooks',
  'acceptance/p4-users',
  'acceptance/geography',
  'acceptance/startup-errors',
  'acceptance/links-heal',
  'database/embedded/open-engine',
  'database/embedded',
  'integration/unusual-timing',
  'integration/maximum-size',
  'doctor/storage-identity',
  'stages/corpus.long',
  'integration/part-boundaries',
  'integration/audio-encoding',
  'integration/clips',
  'integration/growing-inputs',
  'integration/video-shapes',
  'stages/make-slideshow',
  'recording/scrub',
  'stages/tampered-results',
  'engine/create-engine',
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
