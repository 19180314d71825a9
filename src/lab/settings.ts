import { oneOf } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the lab. */
export const labSettings = {
  LAB: setting({
    description: 'Whether the lab, a simulation of the platforms, runs beside the service for test keys: on or off.',
    default: 'off',
    read: oneOf('on', 'off'),
  }),
};
