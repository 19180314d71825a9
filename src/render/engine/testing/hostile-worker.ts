import { parentPort, workerData } from 'node:worker_threads';
import { attackFiles } from './attacks.ts';

/** The attacks on files, from a thread that begins after the child was confined. */
parentPort?.postMessage(attackFiles(workerData));
