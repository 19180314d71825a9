import { type OutputContainer, outputContainers } from '../../contract/containers.ts';
import type { Job, OperationType } from '../../contract/job.ts';
import type { StreamAction } from '../../contract/render-preview.ts';

/** The actions applied to the inputs' video and audio. */
export interface StreamActions {
  readonly video: StreamAction;
  readonly audio: StreamAction;
}

type CopyOrEncode = 'copy' | 'encode';

const actionsByOperation: Readonly<Record<OperationType, (action: CopyOrEncode) => StreamActions>> = {
  join_streams: (action) => ({ video: action, audio: action }),
  convert_format: (action) => ({ video: action, audio: action }),
  replace_audio_in_video: (action) => ({ video: action, audio: action }),
  extract_audio: (action) => ({ video: 'drop', audio: action }),
  extract_video: (action) => ({ video: action, audio: 'drop' }),
  mix_audio_and_video: (action) => ({ video: action, audio: 'mix' }),
  slideshow: (action) => ({ video: 'encode', audio: action }),
  no_process: () => ({ video: 'copy', audio: 'copy' }),
};

/**
 * Returns the actions for video and audio that follow from the description of a job alone. The engine decides the rest.
 */
export function streamActionsOf({ operation: { type, copyStreams }, output }: Job): StreamActions {
  const actions = actionsByOperation[type](copyStreams ? 'copy' : 'encode');
  const container = Object.hasOwn(outputContainers, output.ext) && outputContainers[output.ext as OutputContainer];
  const isAudioOnly = type !== 'no_process' && container !== false && container.audioOnly;
  return isAudioOnly && actions.video !== 'drop' ? { ...actions, video: 'refuse' } : actions;
}
