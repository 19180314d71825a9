import { type OutputContainer, outputContainers } from './containers.ts';
import { codecContainers } from './encoding.ts';
import type { FieldFault } from './errors.ts';
import { imageExtensions, type JobDescription, type OperationType, subtitleExtensions } from './job.ts';

/** Finds members of a description that have no effect in its operation, and inputs that it cannot take. */
export function processingFaults(description: JobDescription): FieldFault[] {
  const { operation, output } = description;
  if (operation.type === 'no_process') return unprocessedFaults(description);
  const isEncoded = operation.copyStreams === false || operation.type === 'slideshow';
  const mayEncodeAudio = isEncoded || operation.type === 'mix_audio_and_video';
  const needsEncoding = (path: string) => [{ path, message: 'requires copyStreams false' }];
  return [
    ...(operation.audioBitrate === undefined || mayEncodeAudio ? [] : needsEncoding('operation.audioBitrate')),
    ...(operation.video === undefined || isEncoded ? [] : needsEncoding('operation.video')),
    ...(output.maxSize === undefined || isEncoded ? [] : needsEncoding('output.maxSize')),
    ...(operation.duration === undefined || replacesAudio(operation.type)
      ? []
      : [
          {
            path: 'operation.duration',
            message: 'can only be used with replace_audio_in_video and mix_audio_and_video',
          },
        ]),
    ...(operation.volumes === undefined || operation.type === 'mix_audio_and_video'
      ? []
      : [{ path: 'operation.volumes', message: 'can only be used with mix_audio_and_video' }]),
    ...videoFaults(description),
    ...inputKindFaults(description),
  ];
}

/** Returns whether the audio of a result can come from another input than its video. */
export function replacesAudio(type: OperationType): boolean {
  return type === 'replace_audio_in_video' || type === 'mix_audio_and_video';
}

function unprocessedFaults({ clip, output, operation }: JobDescription): FieldFault[] {
  const { metadata, cover, chapters, subtitles, maxSize } = output;
  const { audioBitrate, loudness, video, secondsPerImage, duration, volumes } = operation;
  const members = {
    clip,
    'output.metadata': metadata,
    'output.cover': cover,
    'output.chapters': chapters,
    'output.subtitles': subtitles,
    'output.maxSize': maxSize,
    'operation.audioBitrate': audioBitrate,
    'operation.loudness': loudness,
    'operation.video': video,
    'operation.secondsPerImage': secondsPerImage,
    'operation.duration': duration,
    'operation.volumes': volumes,
  };
  return Object.entries(members).flatMap(([path, member]) => {
    if (member === undefined) return [];
    return [{ path, message: 'cannot be used with no_process because the file is not changed; use convert_format' }];
  });
}

/** Finds a shape of the video in a job whose result has no video, and a codec that the container cannot store. */
function videoFaults({ operation: { type, video }, output: { ext } }: JobDescription): FieldFault[] {
  if (video === undefined) return [];
  const isAudioOnly = Object.hasOwn(outputContainers, ext) && outputContainers[ext as OutputContainer].audioOnly;
  if (type === 'extract_audio' || isAudioOnly) {
    return [{ path: 'operation.video', message: 'has no effect because the result has no video' }];
  }
  if (video.codec === undefined) return [];
  const containers = codecContainers[video.codec];
  if (containers.includes(ext)) return [];
  return [
    { path: 'operation.video.codec', message: `cannot be ${video.codec} for ${ext}; use ${containers.join(', ')}` },
  ];
}

function inputKindFaults({ inputs, operation }: JobDescription): FieldFault[] {
  const isImage = (ext: string) => imageExtensions.some((image) => image === ext);
  const isSubtitle = (ext: string) => subtitleExtensions.some((subtitle) => subtitle === ext);
  if (operation.type === 'slideshow') {
    const sounds = inputs.filter(({ ext }) => !isImage(ext)).length;
    if (sounds === inputs.length) {
      return [{ path: 'inputs', message: `must have an image (${imageExtensions.join(', ')}) for slideshow` }];
    }
    return sounds > 1 ? [{ path: 'inputs', message: 'must have at most one audio input for slideshow' }] : [];
  }
  if (operation.secondsPerImage !== undefined) {
    return [{ path: 'operation.secondsPerImage', message: 'can only be used with slideshow' }];
  }
  if (operation.type === 'join_streams') {
    const hasMedia = inputs.some(({ ext }) => !isSubtitle(ext));
    return hasMedia ? [] : [{ path: 'inputs', message: 'must have an input other than subtitles' }];
  }
  return inputs.flatMap(({ ext }, at) => {
    if (!isSubtitle(ext)) return [];
    return [{ path: `inputs.${at}.ext`, message: `cannot be ${ext} for ${operation.type}; use join_streams` }];
  });
}
