import { integer } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the relay. */
export const relaySettings = {
  RELAY_CONNECTIONS: setting({
    description: 'Maximum concurrent relay connections of one key.',
    default: '32',
    read: integer(1, 10_000),
  }),
};
