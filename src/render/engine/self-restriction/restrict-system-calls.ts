import { getRawPointer } from 'node:ffi';
import { systemCall } from './libc.ts';
import { encodeFilter, type Instruction, startupFilter, systemCallFilter } from './system-call-filter.ts';
import { hostArchitecture, systemCallNumber } from './system-calls.ts';

/** seccomp(2) */
const SECCOMP_SET_MODE_FILTER = 1;
const SECCOMP_FILTER_FLAG_TSYNC = 1;

/**
 * Restricts every current and future thread of this process to the system calls that media work needs. Needs
 * `no_new_privs`.
 *
 * @returns Whether the system supports it.
 * @throws Error if the system supports it but the call fails.
 */
export function restrictSystemCalls(): boolean {
  const architecture = hostArchitecture();
  return architecture !== undefined && installFilter(systemCallFilter(architecture, process.pid));
}

/** Denies io_uring to this process and the program that it becomes, before {@link restrictSystemCalls} denies more. */
export function denyIoUring(): void {
  const architecture = hostArchitecture();
  if (architecture !== undefined) installFilter(startupFilter(architecture));
}

function installFilter(filter: readonly Instruction[]): boolean {
  const instructions = encodeFilter(filter);
  // `struct sock_fprog`: the number of instructions and their address.
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length, 0);
  program.writeBigUInt64LE(getRawPointer(instructions), 8);
  const number = systemCallNumber('seccomp');
  const result = systemCall(number, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
  if ('error' in result) {
    if (result.error === 'ENOSYS') return false;
    throw new Error(`seccomp failed: ${result.error}`);
  }
  // A result above 0 is the ID of a thread that could not be restricted.
  if (result.value !== 0) throw new Error('seccomp could not restrict every thread');
  return true;
}
