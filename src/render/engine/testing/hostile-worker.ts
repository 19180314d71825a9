import { parentPort, workerData } from 'node:worker_threads';
import { attackFiles } from './attacks.ts';

/** Runs the attacks on files from a thread that starts after the child was confined. */
parentPort?.postMessage(attackFiles(workerData));
