import { writeSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { ChildMessage, ChildTask } from '../protocol/messages.ts';
import { restrictProcess } from '../self-restriction/restrict-process.ts';
import type { ArrivedRangeMessage } from '../tasks/growing-files.ts';
import { filesOf } from '../tasks/input-files.ts';
import { isOrphaned, ProgressPacer } from '../tasks/progress-pacer.ts';
import { GrowingFile } from './input/growing-file.ts';
import { runTask } from './run-task.ts';

/** File descriptor of the pipe for messages to the service. The service closes its end when it stops. */
const messagePipe = 3;

/**
 * `landlock` is present if the launcher has restricted this process to its files (`self-restriction/launch-main.ts`).
 */
const [parent = 0, threads = 1, landlock] = process.argv.slice(2).map(Number);

function die(): never {
  // A clean exit would run the media library's destructors, which may crash on state that a bad file left behind.
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

function send(message: ChildMessage): void {
  try {
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    for (let offset = 0; offset < line.length; ) offset += writeSync(messagePipe, line, offset);
  } catch {
    // The service has exited, so nothing needs the result any more.
    die();
  }
}

/** Files of the task that are still growing, by number. */
const growingFiles = new Map<number, GrowingFile>();

async function run(task: ChildTask): Promise<void> {
  if (task.type === 'process') {
    for (const [at, file] of filesOf(task.inputs).entries()) {
      if (file.growing === true) growingFiles.set(at, new GrowingFile());
    }
  }
  const pacer = new ProgressPacer((fraction) => send({ type: 'progress', fraction }), parent);
  send(await runTask(task, { pacer, threads, growingFiles, logDebug }));
}

/** Writes a line to the service's log at debug level. */
function logDebug(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Handles a line of standard input. The first line is the task; the others report how its files grow. */
function receiveLine(line: string): void {
  if (taskReceived) {
    const { file, ...range }: ArrivedRangeMessage = JSON.parse(line);
    growingFiles.get(file)?.update(range);
    return;
  }
  taskReceived = true;
  const task: ChildTask = JSON.parse(line);
  void run(task);
}

let taskReceived = false;
let pendingText = '';

if (isOrphaned(parent)) die();
// Runs at lower priority than the service. A process can only lower its own priority.
setPriority(Math.max(5, getPriority()));
const restrictions = await restrictProcess(landlock);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (pendingText + text).split('\n');
  pendingText = lines.pop() ?? '';
  for (const line of lines) receiveLine(line);
});
// The service keeps its end open as long as it runs.
process.stdin.on('end', die);
process.stdin.on('error', die);
send({ type: 'ready', ...restrictions });
