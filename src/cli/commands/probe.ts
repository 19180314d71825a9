import { mkdir, readFile } from 'node:fs/promises';
import type { ProbePace } from '../../probe/run-probes.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { probeTable } from '../formatters/probe-table.ts';
import { readSettings, settingsOption } from '../service/command-settings.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';

const options = {
  only: { type: 'string', value: '<names>', description: 'Run only the probes with these names, separated by commas.' },
  probes: {
    type: 'string',
    value: '<file>',
    description: 'JSON file with probes to add. A probe replaces the built-in one of the same name.',
  },
  record: {
    type: 'string',
    value: '<folder>',
    description: 'Save every response in this folder, without secrets, for the tests (RECORDINGS_DIR).',
  },
  pause: { type: 'string', value: '<seconds>', description: 'Pause between two probes of a platform; default 2.' },
  wait: {
    type: 'string',
    value: '<seconds>',
    description: 'Time after which media is requested again; default 60.',
  },
  ...settingsOption,
  json: { type: 'boolean', description: 'Print the results as one JSON object.' },
} as const satisfies Options;

const verdictExitCodes = {
  works: exitCodes.success,
  drifting: exitCodes.drifting,
  refused: exitCodes.refused,
  unreachable: exitCodes.refused,
} as const;

/** `millrace probe`. */
export const probeCommand = defineCommand({
  name: 'probe',
  summary: 'Check whether Millrace still reads each platform.',
  usage: ['[platform…]'],
  arity: [0, 20],
  options,
  details: `This command requests public items from the platforms, with the service's settings (EGRESS_PROXIES and so on).
It parses the responses, and requests parts of their media. Each probe has a verdict:

  works        every expected field is present, and media arrives
  drifting     expected fields are missing, entries have an unknown shape, or links lead to no media
  refused      the platform refuses the request, or the item no longer exists
  unreachable  there was no response, or it ended early

It exits with 6 if any probe is drifting, otherwise with 7 if any is refused or unreachable.

  millrace probe
  millrace probe p1 --only video --json
  millrace probe p1 --record recordings
  RECORDINGS_DIR=recordings npm test`,
  async run(invocation: Invocation<typeof options>) {
    const { values, positionals, terminal, signal } = invocation;
    const pace = paceOf(values);
    const { record } = values;
    if (record !== undefined) await createFolder(record);
    const file = values.probes === undefined ? undefined : await readText(values.probes);
    // Loaded on demand: other commands do not need the platforms.
    const [config, { probeSites }, { ProbesError }] = await Promise.all([
      readSettings(invocation),
      import('../../probe/probe-sites.ts'),
      import('../../probe/probe-file.ts'),
    ]);
    const report = await probeSites(config, {
      platforms: positionals,
      names: values.only === undefined ? [] : values.only.split(',').map((name) => name.trim()),
      file,
      record,
      pace,
      signal,
      onStart: (count) => terminal.say(`Probes to run: ${count}. This takes at least ${pace.wait / 1000} s.`, 'dim'),
    }).catch((error: unknown) => {
      throw error instanceof ProbesError ? new UsageError(error.message, { cause: error }) : error;
    });
    await terminal.print(values.json === true ? `${sanitiseJson(report, 2)}\n` : probeTable(report.probes));
    return verdictExitCodes[report.verdict].code;
  },
});

function paceOf({ pause = '2', wait = '60' }: Invocation<typeof options>['values']): ProbePace {
  return {
    pause: parseWholeNumber('pause', pause, 0) * 1000,
    wait: parseWholeNumber('wait', wait, 0) * 1000,
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`The probe file ${path} cannot be read.`, { cause: error });
  }
}

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const message = `The folder ${path} cannot be created. Choose another folder with --record.`;
    throw new CommandError(message, { cause: error });
  }
}
