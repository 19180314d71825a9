import type { OutputContainer } from '../../../contract/containers.ts';
import { canHold, containerFormats, isAudioOnly, maxAudioStreams, maxTracks } from '../formats/container-formats.ts';
import type { EngineOperation, SourceStream } from './source-stream.ts';
import { incompatibleCodecsError, streamLabel, streamList, untimedError } from './stream-messages.ts';
import type { Track } from './track.ts';
import { isUndecodable } from './undecodable.ts';

/** Throws `incompatible_codecs` if a video track would be written to an audio-only container. */
export function refuseVideoInAudio(tracks: readonly Track[], operation: EngineOperation, ext: OutputContainer): void {
  const video = tracks.flatMap((track) => track.sources).find((source) => source.kind === 'video' && !source.cover);
  if (video === undefined || !isAudioOnly(containerFormats[ext])) return;
  const hint = operation === 'join_streams' ? ' of one input' : '';
  throw incompatibleCodecsError(
    ext,
    `${streamLabel(video)} cannot be part of an audio file`,
    `use the operation extract_audio to keep only the audio${hint}, or choose output.ext mp4 or mkv`,
    [video],
  );
}

/** Throws `incompatible_codecs` if the container cannot hold the tracks. */
export function refuseMisfits(tracks: readonly Track[], ext: OutputContainer): void {
  if (tracks.length > maxTracks) {
    const what = `${tracks.length} streams are too many`;
    const all = tracks.flatMap((track) => track.sources);
    throw incompatibleCodecsError(ext, what, `use inputs with at most ${maxTracks} streams`, all);
  }
  const audioTracks = tracks.filter((track) => track.kind === 'audio');
  if (audioTracks.length > maxAudioStreams(ext)) {
    throw incompatibleCodecsError(
      ext,
      `it holds ${maxAudioStreams(ext)} audio stream, but there are ${audioTracks.length}`,
      'choose output.ext m4a or mkv, which hold several, or use extract_audio, which takes the first',
      audioTracks.flatMap(({ sources }) => sources),
    );
  }
  const copies = tracks.filter(({ action }) => action === 'copy').flatMap(({ sources }) => sources);
  refuseUntimed(copies, ext);
  const misfitTracks = tracks.filter((track) => !fitsContainer(track, ext));
  const misfits = misfitTracks.flatMap((track) => track.sources);
  if (misfits.length === 0) return;
  refuseUndecodable(misfitTracks, tracks, ext);
  const others = (Object.keys(containerFormats) as OutputContainer[]).filter((other) => {
    return tracks.every((track) => fitsContainer(track, other)) && audioTracks.length <= maxAudioStreams(other);
  });
  const choice = others.length === 0 ? '' : `choose output.ext ${others.join(' or ')}, or `;
  throw incompatibleCodecsError(
    ext,
    describeMisfits(misfits, ext),
    `${choice}${encodingRemedy(misfits, tracks)}`,
    misfits,
  );
}

/** Explains why streams do not fit: the container cannot hold them, or players do not play them in it. */
function describeMisfits(misfits: readonly SourceStream[], ext: OutputContainer): string {
  const { title, unplayable = [] } = containerFormats[ext];
  const obstructed = misfits.filter(({ obstacles }) => obstacles?.[ext] !== undefined);
  const others = misfits.filter((source) => !obstructed.includes(source));
  const unplayableSources = others.filter(({ codec }) => unplayable.includes(codec));
  const unsupported = others.filter(({ codec }) => !unplayable.includes(codec));
  return [
    ...obstructed.map((source) => `${streamLabel(source)} cannot be copied into it because ${source.obstacles?.[ext]}`),
    ...(unsupported.length > 0 ? [`${streamList(unsupported)} cannot be copied into it`] : []),
    ...(unplayableSources.length > 0 ? [`players do not play ${streamList(unplayableSources)} in ${title}`] : []),
  ].join('; ');
}

/** Throws `incompatible_codecs` if a track would be encoded from a stream that cannot be decoded. */
function refuseUndecodable(misfitTracks: readonly Track[], tracks: readonly Track[], ext: OutputContainer): void {
  const encodedTracks = misfitTracks.filter(({ action }) => action !== 'copy');
  const sources = encodedTracks.flatMap((track) => track.sources).filter(isUndecodable);
  if (sources.length === 0) return;
  const list = streamList(sources);
  const remedy = `use an input without ${list}${extractionRemedy(sources, tracks)}`;
  throw incompatibleCodecsError(ext, `${list} cannot be decoded`, remedy, sources);
}

function encodingRemedy(misfits: readonly SourceStream[], tracks: readonly Track[]): string {
  const undecodable = misfits.filter(isUndecodable);
  if (undecodable.length === 0) return 'set copyStreams to false to re-encode';
  const extraction = extractionRemedy(undecodable, tracks);
  return `use an input without ${streamList(undecodable)}, which cannot be decoded${extraction}`;
}

/** Returns the operation that leaves out streams and keeps others, as the end of a clause; empty without one. */
function extractionRemedy(unwanted: readonly SourceStream[], tracks: readonly Track[]): string {
  const [kind, ...otherKinds] = new Set(unwanted.map((source) => source.kind));
  const kept = kind === 'audio' ? 'video' : 'audio';
  const isKept = tracks.some((track) => track.kind === kept && track.sources[0]?.cover === false);
  return otherKinds.length === 0 && isKept ? `, or the operation extract_${kept}` : '';
}

function refuseUntimed(copies: readonly SourceStream[], ext: OutputContainer): void {
  const untimedSources = copies.filter((source) => source.untimed === true);
  if (untimedSources.length > 0) throw untimedError(untimedSources, ext);
}

function fitsContainer(track: Track, ext: OutputContainer): boolean {
  const container = containerFormats[ext];
  const [source] = track.sources;
  // Everything else is dropped if it does not fit, so it does not rule out any container.
  if (source === undefined || source.cover || (track.kind !== 'video' && track.kind !== 'audio')) return true;
  if (track.action === 'copy')
    return canHold(container, track.kind, source.codec) && source.obstacles?.[ext] === undefined;
  return container.encoders[track.kind].length > 0 && !track.sources.some(isUndecodable);
}
