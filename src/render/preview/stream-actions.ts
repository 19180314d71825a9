import { type OutputContainer, outputContainers } from '../../contract/containers.ts';
import type { Job, OperationType } from '../../contract/job.ts';
import type { StreamAction } from '../../contract/render-preview.ts';

/** What becomes of the inputs' video and sound. */
export interface StreamActions {
  readonly video: StreamAction;
  readonly audio: StreamAction;
}

type Kept = 'copy' | 'encode';

const ofOperation: Readonly<Record<OperationType, (kept: Kept) => StreamActions>> = {
  join_streams: (kept) => ({ video: kept, audio: kept }),
  convert_format: (kept) => ({ video: kept, audio: kept }),
  replace_audio_in_video: (kept) => ({ video: kept, audio: kept }),
  extract_audio: (kept) => ({ video: 'drop', audio: kept }),
  extract_video: (kept) => ({ video: kept, audio: 'drop' }),
  mix_audio_and_video: (kept) => ({ video: kept, audio: 'mix' }),
  no_process: () => ({ video: 'copy', audio: 'copy' }),
};

/** What becomes of video and sound, as far as the description of a job decides it. The engine decides the rest. */
export function streamActionsOf({ operation: { type, copyStreams }, output }: Job): StreamActions {
  const actions = ofOperation[type](copyStreams ? 'copy' : 'encode');
  const container = Object.hasOwn(outputContainers, output.ext) && outputContainers[output.ext as OutputContainer];
  const soundAlone = type !== 'no_process' && container !== false && container.audioOnly;
  return soundAlone && actions.video !== 'drop' ? { ...actions, video: 'refuse' } : actions;
}
