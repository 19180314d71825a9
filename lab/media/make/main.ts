import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import { encodeAudio, encodeVideo, makeStill } from './encode.ts';
import { repeat } from './repeat.ts';
import type { MakeTask } from './task.ts';

// The maker process: carries out the one task of its first argument. It is started by ../maker.ts only.

Log.setLevel(AV_LOG_ERROR);
const task = JSON.parse(process.argv[2] ?? '') as MakeTask;
switch (task.do) {
  case 'encode-video':
    await encodeVideo(task);
    break;
  case 'encode-audio':
    await encodeAudio(task);
    break;
  case 'repeat':
    repeat(task);
    break;
  case 'still':
    await makeStill(task);
    break;
}
