import type { ProcessTask } from '../engine.ts';
import { Pace } from '../media/pace.ts';
import { processFiles } from '../media/process.ts';
import { Words } from '../media/words.ts';

/** Carries out the task given as JSON with the media library, whatever the files are, and prints the report. */
const [text = ''] = process.argv.slice(2);
const task: ProcessTask = JSON.parse(text);
const pace = new Pace(() => undefined, process.ppid);
const report = await processFiles(task, { words: new Words(task.directory), pace, threads: 1, arriving: new Map() });
process.stdout.write(JSON.stringify(report), () => process.kill(process.pid, 'SIGKILL'));
