import { writeSync } from 'node:fs';

/** Ends a process whose embedded database cannot continue. It gets the reason, and what to do, in words. */
export type EndProcess = (message: string) => void;

/**
 * Ends the process at once. Its caller is the engine, which would otherwise go round in a loop for ever: nothing that has
 * to be waited for comes to an end any more.
 */
export const endProcess: EndProcess = (message) => {
  try {
    writeSync(2, `${message}\n`);
  } finally {
    process.exit(1);
  }
};
