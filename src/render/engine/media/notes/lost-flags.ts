import {
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_DISPOSITION_VISUAL_IMPAIRED,
} from 'node-av/constants';
import type { OutputNote } from '../../../../contract/notes.ts';
import type { ContainerFormat, StreamFlag } from '../../formats/container-formats.ts';
import { isMedia } from '../../track-plan/operation-streams.ts';
import type { Track } from '../../track-plan/track.ts';
import type { OpenInput } from '../input/opened-input.ts';
import { nameOf, streamOf } from '../input/source-streams.ts';

const flags = {
  forced: { disposition: AV_DISPOSITION_FORCED, label: 'forced' },
  hearing: { disposition: AV_DISPOSITION_HEARING_IMPAIRED, label: 'for the hearing impaired' },
  sight: { disposition: AV_DISPOSITION_VISUAL_IMPAIRED, label: 'for the visually impaired' },
  comment: { disposition: AV_DISPOSITION_COMMENT, label: 'a commentary' },
} as const;

/** Notes for streams of which the container cannot store what they are for, such as forced subtitles. */
export function lostFlags(tracks: readonly Track[], inputs: readonly OpenInput[], container: ContainerFormat): OutputNote[] {
  return tracks.flatMap(({ kind, sources }) => {
    if (kind !== 'subtitle' && !sources.every(isMedia)) return [];
    return sources.flatMap((source): OutputNote[] => {
      const stream = streamOf(source, inputs);
      const lost = (Object.keys(flags) as StreamFlag[]).filter((flag) => {
        return stream.hasDisposition(flags[flag].disposition) && !isStored(flag, kind, container);
      });
      if (lost.length === 0) return [];
      const label = lost.map((flag) => flags[flag].label).join(', ');
      const message = `The result does not say what ${lower(nameOf(source, inputs))} is (${label}): ${container.title} cannot store it.`;
      return [{ code: 'flags_lost', message, input: source.jobInput }];
    });
  });
}

function isStored(flag: StreamFlag, kind: Track['kind'], { flags: stored = {} }: ContainerFormat): boolean {
  const kinds = stored[flag];
  return kinds === 'all' || kinds === kind;
}

function lower(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}
