import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstRows } from '../support/first-rows.ts';
import { NOBODY, ROOT } from '../support/ordinary-user.ts';

/**
 * A compromised media engine child: `run-hostile-child.ts` launches hostile code as the engine launches its children,
 * and reports what that could reach. It runs as root and as an ordinary user, with and without `node:ffi` and Perl, and
 * on systems without namespaces. The attacks come from the main thread, the thread pool and a Worker. With `node:ffi`,
 * they also come from native code.
 */
const program = 'src/render/engine/testing/run-hostile-child.ts';
const project = resolve(import.meta.dirname, '../..');

type Findings = Readonly<Record<string, string>>;

interface Report {
  readonly missing: readonly string[];
  /** `Uid` lines of the service, another child, and the hostile child. */
  readonly users: readonly (number | string)[];
  /** Lines of /proc/<pid>/task/<tid>/status of every thread, before and after the attack. */
  readonly threads: readonly Findings[];
  readonly victimAlive: boolean;
  readonly answer: {
    readonly findings: Readonly<
      Record<'allowed' | 'main' | 'pool' | 'worker' | 'system' | 'traps' | 'native' | 'limits', Findings>
    >;
  };
}

/** A folder that every user can reach. The checkout is mounted there, whatever the modes of the folders above it. */
let open: string;
beforeAll(() => {
  open = mkdtempSync('/tmp/millrace-takeover-');
  chmodSync(open, 0o755);
});
afterAll(() => rmSync(open, { recursive: true, force: true }));

/**
 * A shell script for root that becomes the command in its arguments, as an ordinary user, with the checkout at `open`.
 */
const asOrdinaryUser = `
  set -e
  mkdir -p "$OPEN/app" "$OPEN/tmp"
  chown ${NOBODY} "$OPEN/tmp"
  mount --bind "$PROJECT" "$OPEN/app"
  cd "$OPEN/app"
  TMPDIR="$OPEN/tmp" exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups "$@"
`;

async function takeOver(user: 'root' | 'ordinary', without: readonly string[]): Promise<Report> {
  const options = { timeout: 300_000, maxBuffer: 4e6, cwd: project };
  if (user === 'root' || !ROOT) {
    // Like a script that holds a lock: every program that it starts inherits the open file.
    const line = ['-c', 'exec 200< /etc/passwd; exec "$@"', 'bash', process.execPath, program, ...without];
    return JSON.parse((await promisify(execFile)('bash', line, options)).stdout);
  }
  const node = `./${relative(project, process.execPath)}`;
  const command = ['--mount', '--', '/bin/sh', '-c', asOrdinaryUser, 'sh', node, program, ...without];
  const env = { ...process.env, OPEN: open, PROJECT: project };
  return JSON.parse((await promisify(execFile)('unshare', command, { ...options, env })).stdout);
}

const gains = (findings: Findings) => Object.entries(findings).filter(([, finding]) => finding.startsWith('GAINED'));
const layers = (report: Report) => report.missing.map((layer) => layer.split(':')[0]);

/**
 * Whether this system supports namespaces. Systems without them report the missing layers; see
 * docs/reference/engine-isolation.md.
 */
const namespaces =
  spawnSync('unshare', [...(ROOT ? [] : ['--user']), '--mount', '--pid', '--fork', 'true']).status === 0;
const ffi = process.allowedNodeEnvironmentFlags.has('--experimental-ffi') && ['x64', 'arm64'].includes(process.arch);

describe.runIf(process.platform === 'linux' && namespaces)('hostile code in a media engine child', () => {
  const systems: readonly (readonly [string, 'root' | 'ordinary', readonly string[]])[] = [
    ['as root', 'root', []],
    ['as an ordinary user', 'ordinary', []],
    ['as root, without node:ffi', 'root', ['no-ffi']],
    ['as root, without namespaces', 'root', ['no-namespaces']],
    ['as root, without Perl', 'root', ['no-perl']],
    ['as an ordinary user, without node:ffi', 'ordinary', ['no-ffi']],
    ['as an ordinary user, without namespaces', 'ordinary', ['no-namespaces']],
    ['as an ordinary user, without Perl', 'ordinary', ['no-perl']],
  ];
  for (const { rows, options } of firstRows(2, systems))
    describe.each(rows)('%s', options, (_name, user, without) => {
      const runs = (user === 'ordinary' || ROOT) && (ffi || without.length === 0 || without[0] === 'no-ffi');
      const filtered = ffi && !without.includes('no-ffi');
      const spaced = !without.includes('no-namespaces');
      let report: Report;
      beforeAll(async () => {
        if (runs) report = await takeOver(user, without);
      });

      it.runIf(runs)('can work in its own folders, so that the following tests are meaningful', () => {
        expect(Object.values(report.answer.findings.allowed).every((finding) => finding.startsWith('GAINED'))).toBe(
          true,
        );
        expect(Object.keys(report.answer.findings.main).length).toBeGreaterThan(50);
      });

      it.runIf(runs).each(['main', 'pool', 'worker'] as const)(
        'can access no other file: no secret, no storage, no other job, no memory or file of another child (%s)',
        (thread) => {
          const reached = gains(report.answer.findings[thread]);
          // Without Landlock, the parent folders of visible folders can be listed. They contain nothing else.
          const listed = filtered ? [] : reached.filter(([attack]) => attack.startsWith('list '));
          expect(reached.filter((gain) => !listed.includes(gain))).toEqual([]);
          expect(listed.map(([, finding]) => finding).join()).not.toMatch(
            /\.env|secrets|other-job|files|database|passwd/,
          );
        },
      );

      it.runIf(runs)('cannot signal other processes, connect anywhere, or run a program', () => {
        expect(gains(report.answer.findings.system)).toEqual([]);
        expect(report.victimAlive).toBe(true);
      });

      it.runIf(runs && filtered && process.arch === 'x64')(
        'can make no system call beyond those for media work',
        () => {
          expect(Object.keys(report.answer.findings.native).length).toBeGreaterThan(70);
          expect(new Set(Object.values(report.answer.findings.native))).toEqual(new Set(['EPERM']));
        },
      );

      it.runIf(runs && filtered)('cannot even make a link for the service to follow', () => {
        expect(gains(report.answer.findings.traps)).toEqual([]);
      });

      it.runIf(runs)('has no privileges and no access to new ones, on any of its threads', () => {
        expect(report.threads.length).toBeGreaterThan(10);
        // A process without privileges that can gain none may keep its bounding set, and must keep it if only root can
        // drop it.
        const bounded = spaced || user === 'root';
        for (const { CapEff, CapPrm, CapInh, CapBnd, CapAmb, NoNewPrivs, Seccomp } of report.threads) {
          expect([CapEff, CapPrm, CapInh, CapAmb, ...(bounded ? [CapBnd] : [])]).toEqual(
            Array(bounded ? 5 : 4).fill('0000000000000000'),
          );
          expect([NoNewPrivs, Seccomp]).toEqual(['1', filtered ? '2' : '0']);
        }
      });

      it.runIf(runs && spaced)('has a process limit', () => {
        expect(report.answer.findings.limits.processes).toBe('256');
      });

      it.runIf(runs && spaced && user === 'root')(
        'runs as a user that is neither root nor that of another child',
        () => {
          const [service, victim, hostile] = report.users.map((line) => `${line}`.split('\t')[0]);
          expect(new Set([service, victim, hostile, '0']).size).toBe(3);
        },
      );

      it.runIf(runs)('has every missing layer reported', () => {
        const expected = [
          ...(spaced ? [] : ['network namespace', 'process namespace', 'file system view']),
          ...(spaced || user === 'ordinary' ? [] : ['own user']),
          ...(filtered ? [] : ['Landlock', 'system call filter']),
        ];
        expect(layers(report)).toEqual(expected);
      });
    });
});
