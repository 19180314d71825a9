import { integer } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the extraction API. */
export const extractionSettings = {
  ANSWER_CACHE: setting({
    description: 'Memory for cached platform results, which are kept for two minutes; 0 turns the cache off.',
    default: '64000000',
    unit: 'bytes',
    read: integer(0, 64_000_000_000),
  }),
};
