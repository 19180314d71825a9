import type { AVPacketSideDataType } from 'node-av/constants';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import { isRightAngled, isSameOrientation, upright } from '../../formats/orientation.ts';
import type { Track } from '../../track-plan/track.ts';
import { findStream, streamName } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import { orientationOf } from '../input/stream-orientation.ts';
import { projectionSideData } from '../output/transcode-video.ts';

/** Returns notes for videos whose rotation or projection the container cannot store. */
export function displayLossNotes(
  tracks: readonly Track[],
  inputs: readonly MediaInput[],
  container: ContainerFormat,
): OutputNote[] {
  if (container.losesDisplayMetadata !== true) return [];
  return tracks
    .flatMap(({ action, sources }) => sources.map((source) => ({ action, source })))
    .flatMap(({ action, source }): OutputNote[] => {
      const stream = findStream(source, inputs);
      const has = (data: AVPacketSideDataType) => stream.codecpar.getCodedSideData(data) !== null;
      const orientation = orientationOf(stream);
      // Encoded frames are rotated themselves (`output/rotation.ts`).
      const losesRotation =
        !isSameOrientation(orientation, upright) && (action === 'copy' || !isRightAngled(orientation));
      const name = streamName(source, inputs);
      const rotationMessage = `${name} will play without its rotation: ${container.title} cannot store it.`;
      const projectionMessage = `${name} will play flat: ${container.title} cannot store its projection.`;
      return [
        ...(losesRotation ? [{ code: 'rotation_lost', message: rotationMessage } as const] : []),
        ...(projectionSideData.some(has) ? [{ code: 'projection_lost', message: projectionMessage } as const] : []),
      ].map((note) => ({ ...note, input: source.jobInput }));
    });
}
