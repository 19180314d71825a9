import { anyText, integer, secret } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the server for the operator: metrics and the admin API. */
export const adminSettings = {
  ADMIN_HOST: setting({
    description:
      'Address that metrics and the admin API listen on. Metrics require no token: make sure that only you can reach ' +
      'it.',
    default: '127.0.0.1',
    read: anyText,
  }),
  ADMIN_PORT: setting({
    description: 'Port of metrics and the admin API; 0 picks a free one.',
    default: 'none',
    fallback: () => undefined,
    read: integer(0, 65_535),
  }),
  ADMIN_TOKEN: setting({
    description: 'Token of 16 characters or more that the admin API requires.',
    default: 'no admin API',
    fallback: () => undefined,
    read: secret,
  }),
  AUDIT_RETENTION: setting({
    description: 'Days after which entries of the audit log are deleted.',
    default: '400',
    fallback: () => 400,
    read: integer(1, 36_500),
  }),
};
