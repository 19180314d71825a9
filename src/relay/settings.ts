import { integer } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the relay. */
export const relaySettings = {
  RELAY_CONNECTIONS: setting({
    description: 'Relay connections that one key may have open at once.',
    default: '32',
    read: integer(1, 10_000),
  }),
};
