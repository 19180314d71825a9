import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { encodeAudio, encodeVideo, makeScene, makeStill } from './encode.ts';
import { repeat } from './repeat.ts';
import type { MakeTask } from './task.ts';

// The maker process: runs one task after the other. Only ../maker.ts starts it, and it exits together with its parent.

/** Task, and the folder that its relative paths refer to. */
export interface MakerCall {
  readonly task: MakeTask;
  readonly directory: string;
}

/** Result of a task. */
export interface MakerResponse {
  readonly error?: string;
}

const home = process.cwd();
Log.setLevel(AV_LOG_ERROR);
process.on('message', async (call: MakerCall) => {
  process.send?.(await runCall(call));
});
// A clean exit would run the engine's destructors, which have been observed to crash.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A Ctrl-C in a terminal reaches all its processes. The parent decides when the maker ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

async function runCall({ task, directory }: MakerCall): Promise<MakerResponse> {
  process.chdir(directory);
  try {
    await carryOut(task);
    return {};
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    process.chdir(home);
  }
}

async function carryOut(task: MakeTask): Promise<void> {
  switch (task.do) {
    case 'encode-video':
      return await encodeVideo(task);
    case 'encode-audio':
      return await encodeAudio(task);
    case 'repeat':
      return repeat(task);
    case 'still':
      return await makeStill(task);
    case 'scene':
      return await makeScene(task);
  }
}
