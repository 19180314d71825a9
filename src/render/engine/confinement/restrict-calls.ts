import { getRawPointer } from 'node:ffi';
import { filterProgram, type Instruction, loadingProgram } from './filter.ts';
import { systemCall } from './libc.ts';
import { systemCallNumber, thisArchitecture } from './system-calls.ts';

/** seccomp(2) */
const SECCOMP_SET_MODE_FILTER = 1;
const SECCOMP_FILTER_FLAG_TSYNC = 1;

/**
 * Restricts every thread of this process, and those to come, to the system calls that media work needs. To be called
 * when all code is loaded; needs `no_new_privs`.
 *
 * @returns Whether the system has what it takes.
 * @throws Error when it has, and refuses.
 */
export function restrictCalls(): boolean {
  const architecture = thisArchitecture();
  return architecture !== undefined && install(filterProgram(architecture, process.pid));
}

/** Keeps this process, and the program that it becomes, from what {@link restrictCalls} will not allow either. */
export function prepareCalls(): void {
  const architecture = thisArchitecture();
  if (architecture !== undefined) install(loadingProgram(architecture));
}

function install(filter: readonly Instruction[]): boolean {
  const instructions = encode(filter);
  // `struct sock_fprog`: how many there are, and where.
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length, 0);
  program.writeBigUInt64LE(getRawPointer(instructions), 8);
  const number = systemCallNumber('seccomp');
  const result = systemCall(number, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
  if ('error' in result) {
    if (result.error === 'ENOSYS') return false;
    throw new Error(`seccomp failed: ${result.error}`);
  }
  // More than 0 is the id of a thread that could not be restricted.
  if (result.value !== 0) throw new Error('seccomp could not restrict every thread');
  return true;
}

/** `struct sock_filter`, eight bytes each. */
function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, whenTrue, whenFalse, operand], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(whenTrue, at * 8 + 2);
    bytes.writeUInt8(whenFalse, at * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, at * 8 + 4);
  });
  return bytes;
}
