import type { Options } from '../command-line/command.ts';

/** The option of every command that asks a service. */
export const serviceOption = {
  service: {
    type: 'string',
    short: 's',
    value: '<url>',
    description: 'Address of the service; MILLRACE_URL. Without one, Millrace runs inside this command.',
  },
} as const satisfies Options;

/** The option of every command that needs a key. */
export const keyFileOption = {
  'key-file': {
    type: 'string',
    value: '<path>',
    description: 'File that holds the key; else it comes from the environment, or you are asked.',
  },
} as const satisfies Options;

/** Options of commands that need a key, and run the service inside the process where none is named. */
export const serviceOptions = {
  ...serviceOption,
  ...keyFileOption,
  data: {
    type: 'string',
    value: '<path>',
    description: 'Folder that keeps renders and files for the next command; MILLRACE_DATA. Default: none is kept.',
  },
  verbose: { type: 'boolean', short: 'v', description: 'Show the log of a service that runs inside this command.' },
} as const satisfies Options;
