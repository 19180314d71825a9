import type { Options } from '../command-line/command.ts';
import { settingsOption } from './command-settings.ts';

/** The option of every command that calls a service. */
export const serviceOption = {
  service: {
    type: 'string',
    short: 's',
    value: '<url>',
    description: 'Address of the service (MILLRACE_URL).',
  },
} as const satisfies Options;

/** The option of every command that needs a key. */
export const keyFileOption = {
  'key-file': {
    type: 'string',
    value: '<path>',
    description: 'File that contains the key. Default: the environment, or a prompt.',
  },
} as const satisfies Options;

/** Options of commands that need a key, and run the service inside the process if none is selected. */
export const serviceOptions = {
  service: {
    ...serviceOption.service,
    description: 'Address of the service (MILLRACE_URL). Without one, Millrace runs inside this command.',
  },
  ...keyFileOption,
  data: {
    type: 'string',
    value: '<path>',
    description: 'Folder that keeps renders and files for the next command (MILLRACE_DATA). Default: nothing is kept.',
  },
  ...settingsOption,
  verbose: {
    type: 'boolean',
    short: 'v',
    description: 'Show the ID of each request, or the log of the service that runs inside this command.',
  },
} as const satisfies Options;
