import {
  AV_CODEC_ID_NONE,
  AV_DISPOSITION_ATTACHED_PIC,
  AVMEDIA_TYPE_ATTACHMENT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avGetCodecName, Codec, type Stream } from 'node-av/lib';
import { toPrintable } from '../../errors/to-printable.ts';
import type { TrackKind } from '../../formats/container-formats.ts';
import { copyObstacles } from '../../track-plan/copy-obstacles.ts';
import type { SourceStream } from '../../track-plan/source-stream.ts';
import { isUndescribed } from './late-streams.ts';

/** Returns the name of a stream's codec, or another identifier of its contents; `unknown` without either. */
function codecOf({ codecpar, metadata }: Stream): string {
  const { codecType, codecId, codecTagString } = codecpar;
  const codec = (codecId === AV_CODEC_ID_NONE ? null : avGetCodecName(codecId)) ?? 'unknown';
  if (codec !== 'unknown' && codec !== 'bin_data') return codec;
  if (codecType === AVMEDIA_TYPE_ATTACHMENT) return toPrintable(metadata?.get('mimetype') ?? '').slice(0, 100) || codec;
  // MP4 and QuickTime identify data with a four-letter code.
  const tag = codecTagString ?? '';
  return codecType === AVMEDIA_TYPE_DATA && /^[a-z]{4}$/i.test(tag) ? tag : codec;
}

/** Returns the four-character code of a stream; undefined without a printable one. */
function codeOf({ codecpar }: Stream): string | undefined {
  return /^[\w-]{4}$/.exec(codecpar.codecTagString ?? '')?.[0];
}

/** Describes a stream for the track plan. `framesListed` is whether the file's header lists all of its frames. */
export function describeStream(stream: Stream, input: number, jobInput: number, framesListed = false): SourceStream {
  const { codecType, codecId } = stream.codecpar;
  const codec = codecOf(stream);
  // The demuxer reports chapter text as data, but subtitles as subtitles.
  const chapters = codecType === AVMEDIA_TYPE_DATA && codec === 'text';
  const kind = chapters ? 'chapters' : (kinds.get(codecType) ?? 'data');
  const cover = kind === 'video' && stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC);
  const empty = isUndescribed(stream) || (framesListed && !cover && stream.nbFrames === 0n);
  const { sampleRate, format, extradata: setup } = stream.codecpar;
  const isMedia = kind === 'audio' || (kind === 'video' && !cover);
  const obstacles = isMedia ? copyObstacles({ codec, sampleRate, hasFormat: format >= 0, setup }) : undefined;
  const code = isMedia && codec === 'unknown' ? codeOf(stream) : undefined;
  return {
    ...{ input, jobInput, index: stream.index, kind, codec, cover, empty },
    ...(code && { code }),
    ...(isMedia && Codec.findDecoder(codecId) === null ? { lacksDecoder: true } : {}),
    ...(obstacles && { obstacles }),
  };
}

const kinds = new Map<number, TrackKind>([
  [AVMEDIA_TYPE_VIDEO, 'video'],
  [AVMEDIA_TYPE_AUDIO, 'audio'],
  [AVMEDIA_TYPE_SUBTITLE, 'subtitle'],
  [AVMEDIA_TYPE_ATTACHMENT, 'attachment'],
]);
