import { list, secret } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of sealed links. */
export const sealingSettings = {
  SIGNING_SECRETS: setting({
    description:
      'Secrets of 16 characters or more, separated by commas. The first seals links; all of them open links.',
    default: 'one that is generated once and kept in the database',
    fallback: () => undefined,
    read: list(secret),
  }),
};
