import { writeSync } from 'node:fs';

/** Ends a process whose embedded database cannot continue. The message gives the reason and the remedy. */
export type EndProcess = (message: string) => void;

/**
 * Ends the process immediately. The engine calls this function and would otherwise loop forever, so no asynchronous
 * work could finish.
 */
export const endProcess: EndProcess = (message) => {
  try {
    writeSync(2, `${message}\n`);
  } finally {
    process.exit(1);
  }
};
