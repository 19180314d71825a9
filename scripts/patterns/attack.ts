import { isNativeError } from 'node:util/types';
import { createContext, Script } from 'node:vm';
import type { Attack, Pattern } from '../tools/judge.ts';

/** Returns the longest text of an attack with at most `length` characters. */
export function attackText({ pumps, suffix }: Attack, length: number): string {
  const write = (rounds: number) =>
    pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(rounds + bias)).join('') + suffix;
  const fixedLength = write(0).length;
  const perRound = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const rounds = Math.max(0, Math.floor((length - fixedLength) / Math.max(1, perRound)));
  return write(rounds).slice(0, length);
}

/** Returns whether matching a pattern against a text ends within a time limit. */
export function endsWithin(milliseconds: number, { source, flags }: Pattern, text: string): boolean {
  const match = new Script('new RegExp(source, flags).exec(text)');
  try {
    match.runInContext(createContext({ source, flags, text }), { timeout: milliseconds });
    return true;
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
