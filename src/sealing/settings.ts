import { list, secret } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of sealed links. */
export const sealingSettings = {
  SIGNING_SECRETS: setting({
    description: 'Secrets of at least 16 characters, comma-separated. The first seals links; all of them open links.',
    default: 'one that is generated once and stored in the database',
    fallback: () => undefined,
    read: list(secret),
  }),
};
