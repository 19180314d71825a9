import type { AVPacketSideDataType } from 'node-av/constants';
import type { OutputNote } from '../../../../contract/notes.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import { isRightAngled, isSameOrientation, upright } from '../../formats/orientation.ts';
import type { Track } from '../../track-plan/track.ts';
import type { OpenInput } from '../input/opened-input.ts';
import { nameOf, streamOf } from '../input/source-streams.ts';
import { orientationOf } from '../input/stream-orientation.ts';
import { projections } from '../output/transcode-stream.ts';

/** Notes for videos whose rotation or projection the container cannot store. */
export function lostDisplay(
  tracks: readonly Track[],
  inputs: readonly OpenInput[],
  container: ContainerFormat,
): OutputNote[] {
  if (container.losesDisplayMetadata !== true) return [];
  return tracks
    .flatMap(({ action, sources }) => sources.map((source) => ({ action, source })))
    .flatMap(({ action, source }): OutputNote[] => {
      const stream = streamOf(source, inputs);
      const has = (data: AVPacketSideDataType) => stream.codecpar.getCodedSideData(data) !== null;
      const orientation = orientationOf(stream);
      // Pictures that are encoded are turned themselves (`output/rotation.ts`).
      const lost = !isSameOrientation(orientation, upright) && (action === 'copy' || !isRightAngled(orientation));
      const name = nameOf(source, inputs);
      const turned = `${name} will play without its rotation: ${container.title} cannot store it.`;
      const flat = `${name} will play flat: ${container.title} cannot store its projection.`;
      return [
        ...(lost ? [{ code: 'rotation_lost', message: turned } as const] : []),
        ...(projections.some(has) ? [{ code: 'projection_lost', message: flat } as const] : []),
      ].map((note) => ({ ...note, input: source.jobInput }));
    });
}
