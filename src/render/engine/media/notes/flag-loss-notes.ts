import {
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_DISPOSITION_VISUAL_IMPAIRED,
} from 'node-av/constants';
import type { OutputNote } from '../../../../contract/output-notes.ts';
import type { ContainerFormat, StreamFlag } from '../../formats/container-formats.ts';
import { isMedia } from '../../track-plan/operation-streams.ts';
import type { Track } from '../../track-plan/track.ts';
import { findStream, streamName } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';

const flags = {
  forced: { disposition: AV_DISPOSITION_FORCED, label: 'forced' },
  hearing: { disposition: AV_DISPOSITION_HEARING_IMPAIRED, label: 'for the hearing impaired' },
  sight: { disposition: AV_DISPOSITION_VISUAL_IMPAIRED, label: 'for the visually impaired' },
  comment: { disposition: AV_DISPOSITION_COMMENT, label: 'a commentary' },
} as const;

/** Returns notes for streams whose purpose the container cannot store, such as forced subtitles. */
export function flagLossNotes(
  tracks: readonly Track[],
  inputs: readonly MediaInput[],
  container: ContainerFormat,
): OutputNote[] {
  return tracks.flatMap(({ kind, sources }) => {
    if (kind !== 'subtitle' && !sources.every(isMedia)) return [];
    return sources.flatMap((source): OutputNote[] => {
      const stream = findStream(source, inputs);
      const lostFlags = (Object.keys(flags) as StreamFlag[]).filter((flag) => {
        return stream.hasDisposition(flags[flag].disposition) && !isStored(flag, kind, container);
      });
      if (lostFlags.length === 0) return [];
      const label = lostFlags.map((flag) => flags[flag].label).join(', ');
      const message = `The purpose of ${lower(streamName(source, inputs))} (${label}) was lost: ${container.title} cannot store it.`;
      return [{ code: 'flags_lost', message, input: source.jobInput }];
    });
  });
}

function isStored(flag: StreamFlag, kind: Track['kind'], { flags: storedFlags = {} }: ContainerFormat): boolean {
  const kinds = storedFlags[flag];
  return kinds === 'all' || kinds === kind;
}

function lower(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}
