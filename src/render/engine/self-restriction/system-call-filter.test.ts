import { describe, expect, it } from 'vitest';
import { type Instruction, startupFilter, systemCallFilter } from './system-call-filter.ts';
import { type Architecture, auditArchitecture, callNumberOn } from './system-calls.ts';

const pid = 4321;
const [KILL, EPERM, ENOSYS, ALLOW] = [0x80000000, 0x00050001, 0x00050026, 0x7fff0000];

/** A system call as a filter sees it. */
interface Call {
  readonly number: number;
  readonly values?: readonly bigint[];
  readonly architecture?: number;
}

/** Runs a classic BPF program as the kernel does (linux/seccomp.h) and returns its verdict. */
function run(
  program: readonly Instruction[],
  { number, values = [], architecture = auditArchitecture('x64') }: Call,
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [at, value] of values.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + 8 * at);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 1) {
    const [code, whenTrue, whenFalse, operand] = program[at] ?? [];
    if (code === 0x06) return (operand ?? 0) >>> 0;
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) at += (accumulator === (operand ?? 0) >>> 0 ? whenTrue : whenFalse) ?? 0;
    else if (code === 0x45) at += ((accumulator & (operand ?? 0)) !== 0 ? whenTrue : whenFalse) ?? 0;
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error('the program ended without a verdict');
}

const verdict = (name: Parameters<typeof callNumberOn>[1], ...values: bigint[]) =>
  run(systemCallFilter('x64', pid), { number: callNumberOn('x64', name) ?? -1, values });

describe.each<Architecture>(['x64', 'arm64'])('the filter on %s', (architecture) => {
  const program = systemCallFilter(architecture, pid);
  const audit = auditArchitecture(architecture);

  it("has jumps that the kernel can encode, and stays below the kernel's instruction limit", () => {
    expect(program.length).toBeLessThan(4096);
    for (const [, whenTrue, whenFalse] of program) expect(Math.max(whenTrue, whenFalse)).toBeLessThan(256);
  });

  it('reaches a verdict for every number and allows few calls', () => {
    const verdicts = Array.from({ length: 600 }, (_, number) => run(program, { number, architecture: audit }));
    expect(new Set(verdicts)).toEqual(new Set([EPERM, ENOSYS, ALLOW]));
    expect(verdicts.filter((each) => each === ALLOW).length).toBeLessThan(110);
  });

  it('allows media work', () => {
    for (const name of ['read', 'write', 'openat', 'mmap', 'futex', 'exit_group', 'epoll_pwait'] as const) {
      expect(run(program, { number: callNumberOn(architecture, name) ?? -1, architecture: audit })).toBe(ALLOW);
    }
  });

  it('kills a process that uses the calling convention of another architecture', () => {
    const other = auditArchitecture(architecture === 'x64' ? 'arm64' : 'x64');
    expect(run(program, { number: 0, architecture: other })).toBe(KILL);
  });
});

describe('a call whose arguments are filtered', () => {
  it('may start threads and nothing else', () => {
    // The C library of Debian 12 starts threads with these flags.
    expect(verdict('clone', 0x3d0f00n)).toBe(ALLOW);
    expect(verdict('clone', 17n)).toBe(EPERM);
    expect(verdict('clone', 0x3d0f00n | 0x10000000n)).toBe(EPERM);
    expect(verdict('clone3', 0n)).toBe(ENOSYS);
  });

  it('may signal only the process itself', () => {
    expect(verdict('kill', BigInt(pid), 9n)).toBe(ALLOW);
    expect(verdict('tgkill', BigInt(pid), 1n, 6n)).toBe(ALLOW);
    for (const other of [1n, 0n, -1n, BigInt(-pid)]) expect(verdict('kill', other, 9n)).toBe(EPERM);
  });

  it('may read limits but not set them', () => {
    expect(verdict('prlimit64', 0n, 7n, 0n, 1n)).toBe(ALLOW);
    expect(verdict('prlimit64', 0n, 7n, 1n)).toBe(EPERM);
    expect(verdict('prlimit64', 0n, 7n, 1n << 32n)).toBe(EPERM);
  });

  it('may control pipes and name threads', () => {
    expect(verdict('ioctl', 0n, 0x5421n)).toBe(ALLOW);
    // TIOCSTI, which types into a terminal.
    expect(verdict('ioctl', 0n, 0x5412n)).toBe(EPERM);
    expect(verdict('prctl', 15n)).toBe(ALLOW);
    // PR_SET_DUMPABLE
    expect(verdict('prctl', 4n, 1n)).toBe(EPERM);
  });
});

it('io_uring is the only call denied while code is loaded', () => {
  const program = startupFilter('x64');
  expect(run(program, { number: 425 })).toBe(EPERM);
  for (const number of [0, 41, 59, 426]) expect(run(program, { number })).toBe(ALLOW);
});
