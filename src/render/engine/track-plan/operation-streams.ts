import type { EngineOperation, SourceStream } from './source-stream.ts';

/** Properties of a stream that determine whether an operation keeps it. */
type StreamRole = Pick<SourceStream, 'kind' | 'cover' | 'jobInput' | 'subtitleFile'>;

/**
 * Use of a stream by an operation, regardless of the container: `kept`; `excluded`, because leaving it out is the
 * purpose of the operation; or left out for another reason, given as a clause.
 */
type StreamUse = 'kept' | 'excluded' | { readonly omittedBecause: string };

/** Returns whether a stream is video or audio; covers are neither. */
export function isMedia(stream: Pick<SourceStream, 'kind' | 'cover'>): boolean {
  return isVideo(stream) || isAudio(stream);
}

/**
 * Returns how an operation uses a stream of its inputs (docs/reference/results.md). Chapter text streams are excluded,
 * because results store chapters separately.
 */
export function streamUse(stream: StreamRole, operation: EngineOperation): StreamUse {
  if (stream.subtitleFile?.addition !== undefined) return 'kept';
  return stream.kind === 'chapters' ? 'excluded' : uses[operation](stream);
}

const uses: Readonly<Record<EngineOperation, (stream: StreamRole) => StreamUse>> = {
  join_streams: () => 'kept',
  convert_format: () => 'kept',
  extract_audio: (stream) => {
    if (isAudio(stream) || stream.cover) return 'kept';
    return isVideo(stream) ? 'excluded' : { omittedBecause: 'extract_audio keeps only audio and cover images' };
  },
  extract_video: (stream) => {
    if (isVideo(stream)) return 'kept';
    return isAudio(stream) ? 'excluded' : { omittedBecause: 'extract_video keeps only video' };
  },
  replace_audio_in_video: (stream) => {
    if (stream.jobInput === 0) return isAudio(stream) ? 'excluded' : 'kept';
    return audioOfSecondInput(stream, 'replace_audio_in_video');
  },
  mix_audio_and_video: (stream) => (stream.jobInput === 0 ? 'kept' : audioOfSecondInput(stream, 'mix_audio_and_video')),
};

function audioOfSecondInput(stream: StreamRole, operation: EngineOperation): StreamUse {
  if (isAudio(stream)) return 'kept';
  return stream.kind === 'video' ? 'excluded' : { omittedBecause: `${operation} takes only audio from input 2` };
}

function isVideo({ kind, cover }: Pick<SourceStream, 'kind' | 'cover'>): boolean {
  return kind === 'video' && !cover;
}

function isAudio({ kind }: Pick<SourceStream, 'kind'>): boolean {
  return kind === 'audio';
}

/** Operations that take all streams. */
export const allStreamOperations: ReadonlySet<EngineOperation> = new Set(['join_streams', 'convert_format']);
