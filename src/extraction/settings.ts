import { integer, oneOf } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the extraction API. */
export const extractionSettings = {
  ANSWER_CACHE: setting({
    description: 'Memory for cached platform results, which are kept for two minutes; 0 turns the cache off.',
    default: '64000000',
    unit: 'bytes',
    read: integer(0, 64_000_000_000),
  }),
  USE_HEALTH: setting({
    description:
      'Whether earlier requests affect responses: client profiles whose media is refused are tried last, and notes name ' +
      'platforms that fail often. off: the order of client profiles never changes, there are no such notes, and /status ' +
      'has no media.',
    default: 'on',
    read: oneOf('on', 'off'),
  }),
  KEEP_UNREAD: setting({
    description:
      'Maximum number of platform responses to keep that Millrace could not read completely, for GET /admin/unread; 0 ' +
      'keeps none. They are kept in memory without secrets, for at most 24 hours, and need up to 1 MB each.',
    default: '0',
    read: integer(0, 1_000),
  }),
};
