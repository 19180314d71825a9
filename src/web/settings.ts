import { readRequestRate } from '../accounts/request-rate.ts';
import { plainKey } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';
import { aboutSettings } from './about/about-settings.ts';

/** Settings of the page and of `/about`. */
export const webSettings = {
  WEB_KEY: setting({
    description:
      'Key of the extraction API that the page at / uses for the requests of its visitors; it never leaves the ' +
      'service. In a day, a visitor can use 2 % of the credits that it has left in the month, but at least 20.',
    default: 'none, and the page shows that it is turned off',
    fallback: () => undefined,
    read: plainKey,
  }),
  WEB_RATE: setting({
    description:
      'Requests per minute of one visitor of the page, and the maximum burst. For IPv6, a /64 network has this limit, a /56 ' +
      'four times and a /48 sixteen times as much.',
    default: '30/20',
    read: readRequestRate,
  }),
  ...aboutSettings,
};
