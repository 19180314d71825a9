import { dlopen, getInt32, getRawPointer } from 'node:ffi';
import { getSystemErrorName } from 'node:util';

const { functions } = dlopen(null, {
  syscall: { return: 'int64', arguments: ['int64', 'uint64', 'uint64', 'uint64', 'uint64', 'uint64'] },
  __errno_location: { return: 'pointer', arguments: [] },
});

/** The result of a system call: 0 or more, or the name of an error such as `ENOSYS`. */
type SystemResult = { readonly value: number } | { readonly error: string };

/**
 * Makes a system call of up to five arguments. Buffers are passed as pointers, which the system must not keep.
 *
 * @param number The call's number on this machine's architecture.
 */
export function systemCall(number: number, ...values: readonly (number | Buffer)[]): SystemResult {
  const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n] = values.map((value) =>
    typeof value === 'number' ? BigInt.asUintN(64, BigInt(value)) : getRawPointer(value),
  );
  const value = Number(functions.syscall(BigInt(number), a, b, c, d, e));
  if (value >= 0) return { value };
  return { error: getSystemErrorName(-getInt32(functions.__errno_location())) };
}

/**
 * {@link systemCall} for a call that must succeed.
 *
 * @throws Error that names the call and the system's error.
 */
export function mustCall(what: string, number: number, ...values: readonly (number | Buffer)[]): number {
  const result = systemCall(number, ...values);
  if ('error' in result) throw new Error(`${what} failed: ${result.error}`);
  return result.value;
}
