import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OutputContainer, outputContainers } from '../../contract/containers.ts';
import { MillraceError } from '../../contract/errors.ts';
import { type OperationType, operations } from '../../contract/job.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { EngineOperation, SourceStream } from '../engine/track-plan/source-stream.ts';
import { planTracks } from '../engine/track-plan/track-plan.ts';
import { streamActionsOf } from './stream-actions.ts';

const kindsOf: Readonly<Record<EngineOperation, readonly (readonly ('video' | 'audio')[])[]>> = {
  join_streams: [['video'], ['audio']],
  convert_format: [['video', 'audio']],
  extract_audio: [['video', 'audio']],
  extract_video: [['video', 'audio']],
  replace_audio_in_video: [['video', 'audio'], ['audio']],
  mix_audio_and_video: [['video', 'audio'], ['audio']],
};

/**
 * Runs the same job through the prediction and the engine's planning, with streams that every container of the output's
 * kind supports.
 */
function predictAndPlan(type: EngineOperation, ext: OutputContainer, copyStreams: boolean) {
  const streams = kindsOf[type].map((kinds, input) =>
    kinds.map((kind, index): SourceStream => {
      const codec = kind === 'video' ? 'h264' : 'aac';
      return { input, jobInput: input, index, kind, codec, cover: false, empty: false };
    }),
  );
  const job = {
    id: 'one',
    inputs: streams.map(() => ({ url: 'https://cdn.example/a.mp4', ext: 'mp4' })),
    output: { ext },
    operation: { type, copyStreams },
  };
  const predicted = streamActionsOf(parseJob(job));
  const planJobTracks = () => planTracks(streams, { type, copyStreams }, ext).tracks;
  return { predicted, planJobTracks };
}

test('predicted stream actions', () => {
  const types = Object.keys(kindsOf) as EngineOperation[];
  const containers = (Object.keys(outputContainers) as OutputContainer[]).filter((ext) => ext !== 'webm');
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.constantFrom(...containers), fc.boolean(), (type, ext, copyStreams) => {
      const { audioOnly } = outputContainers[ext];
      // Excludes jobs that are rejected earlier because their description alone shows that they are impossible, and
      // copies into audio containers that do not support AAC.
      fc.pre(!(audioOnly && (operations[type].makesVideo || type === 'join_streams')));
      fc.pre(!audioOnly || !copyStreams || ext === 'm4a' || ext === 'aac');
      const { predicted, planJobTracks } = predictAndPlan(type, ext, copyStreams);
      if (predicted.video === 'refuse') {
        expect(planJobTracks).toThrow(MillraceError);
        return;
      }
      const tracks = planJobTracks();
      for (const kind of ['video', 'audio'] as const) {
        const actions = new Set(tracks.filter((track) => track.kind === kind).map(({ action }) => action));
        expect([...actions]).toEqual(predicted[kind] === 'drop' ? [] : [predicted[kind]]);
      }
    }),
    { seed: 8, numRuns: propertyRuns(500) },
  );
});

test.each([
  ['no_process', 'mp3', { video: 'copy', audio: 'copy' }],
  ['convert_format', 'mp3', { video: 'refuse', audio: 'copy' }],
  ['extract_audio', 'mp3', { video: 'drop', audio: 'copy' }],
] as const)("match the engine's for %s into %s", (type: OperationType, ext, actions) => {
  const inputs = [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }];
  expect(streamActionsOf(parseJob({ id: 'one', inputs, output: { ext }, operation: { type } }))).toEqual(actions);
});
