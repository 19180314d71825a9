import { oneOf } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of link healing. */
export const linkHealingSettings = {
  HEAL_LINKS: setting({
    description:
      'Whether to ask the platform for a new link when a media link stops working before or during a job or a relayed ' +
      'download: on or off.',
    default: 'on',
    read: oneOf('on', 'off'),
  }),
};
