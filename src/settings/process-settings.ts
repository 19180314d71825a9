import { integer, list, oneOf } from './readers.ts';
import { setting } from './setting.ts';

/** The roles that a process can have. */
const roles = ['api', 'render', 'worker'] as const;

/** The forms of the log. */
export const logFormats = ['json', 'pretty'] as const;

/** Settings of the process as a whole. */
export const processSettings = {
  ROLES: setting({
    description: 'Roles of this process.',
    default: roles.join(','),
    read: list(readRole),
  }),
  DRAIN_TIMEOUT: setting({
    description:
      'Maximum time for running jobs and requests to finish when the process stops. After that, jobs are ' +
      'handed back and connections are cut.',
    default: '20',
    unit: 'seconds',
    read: integer(0, 3_600),
  }),
  DRAIN_DELAY: setting({
    description:
      'Time at the start of DRAIN_TIMEOUT during which new connections are still accepted, so that load balancers can ' +
      'notice the 503 at /health and /health/ready.',
    default: '0',
    unit: 'seconds',
    read: integer(0, 3_600),
  }),
  LOG_FORMAT: setting({
    description: 'Form of the log: json (a JSON object in each line) or pretty (for people).',
    default: 'pretty on a terminal, otherwise json',
    fallback: () => undefined,
    read: oneOf(...logFormats),
  }),
  LOG_LEVEL: setting({
    description: 'Log level: trace, debug, info, warn, error or silent.',
    default: 'info',
    read: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  }),
};

function readRole(text: string): (typeof roles)[number] {
  const role = roles.find((name) => name === text);
  if (role === undefined) throw new Error(`must be a list of ${roles.join(', ')}`);
  return role;
}
