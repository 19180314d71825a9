import { AV_PKT_DATA_DISPLAYMATRIX, type AVPacketSideDataType } from 'node-av/constants';
import type { OutputNote } from '../../../contract/notes.ts';
import type { Container } from '../containers.ts';
import type { Track } from '../plan.ts';
import type { OpenInput } from './open.ts';
import { nameOf, streamOf } from './source-streams.ts';
import { projections } from './transcode.ts';

/** Notes for videos whose rotation or projection the container cannot store. */
export function lostDisplay(
  tracks: readonly Track[],
  inputs: readonly OpenInput[],
  container: Container,
): OutputNote[] {
  if (container.losesDisplay !== true) return [];
  return tracks
    .flatMap(({ sources }) => sources)
    .flatMap((source): OutputNote[] => {
      const has = (data: AVPacketSideDataType) => streamOf(source, inputs).codecpar.getCodedSideData(data) !== null;
      const name = nameOf(source, inputs);
      const turned = `${name} will play without its rotation: ${container.title} cannot store it.`;
      const flat = `${name} will play flat: ${container.title} cannot store its projection.`;
      return [
        ...(has(AV_PKT_DATA_DISPLAYMATRIX) ? [{ code: 'rotation_lost', message: turned } as const] : []),
        ...(projections.some(has) ? [{ code: 'projection_lost', message: flat } as const] : []),
      ].map((note) => ({ ...note, input: source.jobInput }));
    });
}
