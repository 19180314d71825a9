import { writeSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { MillraceError } from '../../../contract/errors.ts';
import { restrictProcess } from '../confinement/restrict-process.ts';
import { diskFull, isDiskFull } from '../disk-full.ts';
import type { ProcessReport, ProcessTask } from '../engine.ts';
import type { GrowthMessage } from '../growth.ts';
import { filesOf } from '../input-files.ts';
import { namesOpenLimit, tooManyOpen } from '../limits-reached.ts';
import {
  type ChildMessage,
  type ChildReport,
  type ChildTask,
  childErrors,
  messageBounds,
  unpackFinish,
} from '../messages.ts';
import { finishMp4 } from '../mp4/finish.ts';
import { printable } from '../printable.ts';
import { ArrivingFile } from './arriving.ts';
import { carryOut } from './carry-out.ts';
import { orphaned, Pace } from './pace.ts';
import type { Workbench } from './sink.ts';
import type { Words } from './words.ts';

/** Where messages to the service go; its other end is closed when the service is gone. */
const messagePipe = 3;

/** The last one is present if the launcher has restricted this process to its files (`confinement/launch.ts`). */
const [parent = 0, threads = 1, landlock] = process.argv.slice(2).map(Number);

function die(): never {
  // No clean exit: that runs the media library's destructors, which may crash on what a bad file left behind.
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

function say(message: ChildMessage): void {
  try {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    for (let written = 0; written < line.length; ) written += writeSync(messagePipe, line, written);
  } catch {
    // Nobody listens any more, so there is nothing left to work for.
    die();
  }
}

/** Files of the task that are still arriving, by their numbers. */
const arriving = new Map<number, ArrivingFile>();

async function perform(task: ChildTask): Promise<void> {
  if (task.type === 'process') {
    for (const [at, file] of filesOf(task.inputs).entries()) {
      if (file.arriving === true) arriving.set(at, new ArrivingFile());
    }
  }
  try {
    say({ type: 'done', report: await run(task) });
  } catch (error) {
    say(await failure(error));
  }
}

async function run(task: ChildTask): Promise<ChildReport> {
  switch (task.type) {
    case 'process':
      return await processTask(task);
    case 'finish': {
      const placed = unpackFinish(task);
      const outcome = await finishMp4(placed);
      if ('report' in outcome) return outcome.report;
      remark(`The placed result cannot be completed: ${outcome.declined}`);
      return await processTask({ ...placed, inputs: outcome.inputs });
    }
    case 'probe': {
      const { probeFile } = await loadLibrary();
      return { ...(await probeFile(task, await openBench(task.directory))), notes: [] };
    }
  }
}

async function processTask(task: ProcessTask): Promise<ProcessReport> {
  return await carryOut(task, { pace, arriving }, remark, async () => {
    const { processFiles } = await loadLibrary();
    return await processFiles(task, await openBench(task.directory));
  });
}

/** Loads the media library. The system call filter allows what that takes, and nothing more. */
const loadLibrary = () => import('./library.ts');

const pace = new Pace((fraction) => say({ type: 'progress', fraction }), parent);

/** What the media library has said; undefined until it is loaded. */
let words: Words | undefined;

async function openBench(directory: string): Promise<Workbench> {
  const { Words } = await loadLibrary();
  words = new Words(directory);
  return { words, pace, threads, arriving };
}

/** Says something for the service's log, at its level debug. */
function remark(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

async function failure(thrown: unknown): Promise<ChildMessage> {
  const error = outOf(thrown);
  const heard = (await words?.heard()) ?? '';
  const code = error instanceof MillraceError ? childErrors.find((known) => known === error.code) : undefined;
  if (error instanceof MillraceError && code !== undefined) {
    const about = typeof error.input === 'number' ? { input: error.input } : {};
    const { message, retryable, reason = heard } = error;
    return { type: 'failed', code, message: bounded(message), retryable, ...about, ...reasonOf(reason) };
  }
  // A fault of ours: its text is for the log, which standard error goes to, and not for the caller.
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  const message = 'The media engine failed on this file. Try again; if it fails again, the file may be damaged.';
  return { type: 'failed', code: 'processing_failed', message, ...reasonOf(heard) };
}

/** An error of the system that means that the machine is out of something, in words for callers; others as they are. */
function outOf(thrown: unknown): unknown {
  if (isDiskFull(thrown)) return diskFull(thrown);
  return thrown instanceof Error && !(thrown instanceof MillraceError) && namesOpenLimit(thrown.message)
    ? tooManyOpen(thrown)
    : thrown;
}

function reasonOf(text: string): { readonly reason?: string } {
  return text === '' ? {} : { reason: bounded(text) };
}

function bounded(text: string): string {
  return text.slice(0, messageBounds.text);
}

/** Reads the lines of standard input: the first is the task, the others report how its files grow. */
function hear(line: string): void {
  if (begun) {
    const { file, ...arrived }: GrowthMessage = JSON.parse(line);
    arriving.get(file)?.take(arrived);
    return;
  }
  begun = true;
  const task: ChildTask = JSON.parse(line);
  void perform(task);
}

let begun = false;
let unread = '';

if (orphaned(parent)) die();
// Lower priority than the service. A process can only lower its own priority.
setPriority(Math.max(5, getPriority()));
const restrictions = await restrictProcess(landlock);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (unread + text).split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) hear(line);
});
// The service holds the other end open for as long as it lives.
process.stdin.on('end', die);
process.stdin.on('error', die);
say({ type: 'ready', ...restrictions });
