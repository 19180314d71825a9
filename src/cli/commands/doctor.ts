import type { Config } from '../../config.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { type Check, type Finding, findingsOf, messageOf } from '../doctor/finding.ts';
import { checkRuntime } from '../doctor/node-version.ts';
import type { Repair } from '../doctor/repairs.ts';
import { readSettings, settingsOption } from '../service/command-settings.ts';
import { sanitiseJson, sanitiseLine } from '../terminal/sanitise.ts';
import type { Style, Terminal } from '../terminal/terminal.ts';

const options = {
  'adopt-store': {
    type: 'boolean',
    description: 'Mark the store as belonging to this database, even if it has another mark.',
  },
  reconcile: {
    type: 'boolean',
    description: 'Remove stored files without a job, and jobs without a file, regardless of their number.',
  },
  ...settingsOption,
  json: { type: 'boolean', description: 'Print the findings as one JSON object.' },
} as const satisfies Options;

/** Time limit of each check. */
const TIMEOUT_MS = 90_000;
/** Time limit of each repair. Reading a store of a million files takes several minutes. */
const REPAIR_TIMEOUT_MS = 1_800_000;

const stateMarks: Readonly<Record<Finding['state'], { readonly mark: string; readonly style: Style }>> = {
  fine: { mark: 'fine ', style: 'green' },
  note: { mark: 'note ', style: 'yellow' },
  wrong: { mark: 'WRONG', style: 'red' },
};

/** `millrace doctor`. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check whether this machine can run the service, and report what to fix.',
  usage: [''],
  arity: [0, 0],
  options,
  details: `This command needs the settings of the service (--settings). It checks Node, clock, data folder, database, storage,
media engine and its isolation, network access, and ports. It exits with 1 if anything is wrong. It changes nothing
without --adopt-store or --reconcile.`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal } = invocation;
    const findings: Finding[] = [];
    const repairs = await loadRepairs(values);
    for await (const finding of runChecks(invocation, repairs)) {
      findings.push(finding);
      if (values.json !== true) await printFinding(finding, terminal);
    }
    const wrong = findings.filter(({ state }) => state === 'wrong').length;
    if (values.json === true) await terminal.print(`${sanitiseJson({ healthy: wrong === 0, findings }, 2)}\n`);
    else if (repairs === undefined)
      await terminal.print(wrong === 0 ? '\nThe service can run here.\n' : `\nProblems to fix: ${wrong}\n`);
    return wrong === 0 ? 0 : 1;
  },
});

/** Returns the repairs that the options select; undefined if they select none. */
async function loadRepairs(values: Invocation<typeof options>['values']): Promise<readonly Repair[] | undefined> {
  if (values['adopt-store'] !== true && values.reconcile !== true) return undefined;
  const { adoptStore, reconcileStore } = await import('../doctor/repairs.ts');
  return [
    ...(values['adopt-store'] === true ? [adoptStore] : []),
    ...(values.reconcile === true ? [reconcileStore] : []),
  ];
}

async function* runChecks(
  invocation: Invocation<typeof options>,
  repairs: readonly Repair[] | undefined,
): AsyncGenerator<Finding, void, void> {
  const { signal } = invocation;
  yield* await checkRuntime();
  const config = await checkSettings(invocation);
  if ('state' in config) {
    yield config;
    return;
  }
  if (repairs !== undefined) {
    for (const repair of repairs) yield* await runCheck(repair, config, signal, REPAIR_TIMEOUT_MS);
    return;
  }
  yield findingsOf('settings').fine('all are valid');
  for (const check of await loadChecks()) yield* await runCheck(check, config, signal, TIMEOUT_MS);
}

async function checkSettings(invocation: Invocation<typeof options>): Promise<Config | Finding> {
  try {
    return await readSettings(invocation);
  } catch (error) {
    return findingsOf('settings').wrong(
      messageOf(error),
      'Correct them in the environment or in the file of --settings.',
    );
  }
}

/** Loads the checks on demand, so that a Node version that cannot load them is reported first. */
async function loadChecks(): Promise<readonly Check[]> {
  const [clock, data, database, storage, store, engine, egress, ports] = await Promise.all([
    import('../doctor/clock.ts'),
    import('../doctor/data-folder.ts'),
    import('../doctor/database.ts'),
    import('../doctor/storage-access.ts'),
    import('../doctor/storage-identity.ts'),
    import('../doctor/engine.ts'),
    import('../doctor/egress.ts'),
    import('../doctor/ports.ts'),
  ]);
  return [
    clock.checkClock,
    data.checkData,
    database.checkDatabase,
    storage.checkStorage,
    store.checkStore,
    engine.checkEngine,
    egress.checkEgress,
    ports.checkPorts,
  ];
}

async function runCheck(check: Check, config: Config, signal: AbortSignal, limit: number): Promise<readonly Finding[]> {
  try {
    return await check(config, AbortSignal.any([signal, AbortSignal.timeout(limit)]));
  } catch (error) {
    signal.throwIfAborted();
    return [
      findingsOf(check.name.replace(/^check/, '').toLowerCase()).wrong(
        messageOf(error),
        'See docs/how-to/troubleshoot.md.',
      ),
    ];
  }
}

async function printFinding({ check, state, what, mend }: Finding, terminal: Terminal): Promise<void> {
  const { mark, style } = stateMarks[state];
  await terminal.print(mark, style);
  await terminal.print(`  ${check.padEnd(14)}  ${sanitiseLine(what)}\n`);
  if (mend !== undefined) await terminal.print(`${' '.repeat(23)}→ ${sanitiseLine(mend)}\n`);
}
