import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generalFormats } from '../contract/parameters.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import { plans } from '../contract/subscription-plans.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { type RenderableFile, type SelectedRenderable, selectRenderables } from './select-renderables.ts';

const heights = [0, 144, 240, 360, 480, 720, 1080, 1440, 2160];
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const anyMedia: fc.Arbitrary<SourceMedia> = fc
  .record({
    height: fc.constantFrom(...heights),
    url: fc.webUrl(),
    ext: fc.constantFrom('mp4', 'm3u8', 'webm', 'm4a'),
    kind: fc.constantFrom('muxed' as const, 'video' as const, 'audio' as const),
    bytes: optional(fc.nat(5e9)),
    estimatedBytes: optional(fc.nat(5e9)),
    bitrate: optional(fc.nat(1e7)),
    videoCodec: optional(fc.constantFrom('h264', 'av1', 'vp9', 'vp8')),
    audioCodec: optional(fc.constantFrom('aac', 'opus', 'vorbis')),
    secondary: optional(fc.boolean()),
  })
  .map(({ height, url, ...stream }) => {
    const definedMembers = Object.fromEntries(Object.entries(stream).filter(([, value]) => value !== undefined));
    const metadata = { mime_type: 'x/y', width: height * 2, height, has_audio: stream.kind !== 'video' };
    const item = { label: `${height}p`, url, repId: url, metadata };
    return { item, stream: definedMembers as unknown as NonNullable<SourceMedia['stream']> };
  });

const request = fc.record({
  content: fc.record({
    videos: fc.array(anyMedia, { maxLength: 20 }),
    audios: fc.array(anyMedia, { maxLength: 5 }),
  }),
  formats: fc.uniqueArray(fc.constantFrom(...generalFormats, ...heights.map((height) => `${height}p`)), {
    maxLength: 8,
  }),
  plan: fc.constantFrom(...Object.values(plans)),
});
const isFile = (item: SelectedRenderable): item is RenderableFile => !('error' in item);
const rules = { matches: (label: string, format: string) => label === format, audio: true };

it('respects the plan, returns an item for every format, and sorts the items of `all` by resolution', () => {
  fc.assert(
    fc.property(request, ({ content, formats, plan }) => {
      const { videos, audios } = selectRenderables(content, formats, plan, rules);
      const files = videos.filter(isFile);
      expect(files.length).toBeLessThanOrEqual(plan.renderableCount);
      for (const { estimatedBytes = 0, metadata, job } of [...files, ...audios.filter(isFile)]) {
        expect(estimatedBytes).toBeLessThanOrEqual(plan.renderSize);
        expect(metadata.content_length ?? 0).toBeLessThanOrEqual(plan.renderSize);
        expect(job.inputs.length).toBe(job.operation.type === 'join_streams' ? 2 : 1);
        expect(job.operation.type === 'no_process' && job.inputs[0]?.ext === 'm3u8').toBe(false);
      }
      expect(audios.length).toBeLessThanOrEqual(1);
      expect(videos.length).toBeGreaterThanOrEqual(formats.length);
      if (formats.length === 1 && formats[0]?.startsWith('all')) {
        const labels = files.map(({ label }) => Number.parseInt(label, 10));
        if (formats[0] === 'all_highres') labels.reverse();
        expect(labels).toEqual([...new Set(labels)].toSorted((a, b) => a - b));
      }
      for (const format of formats) {
        if (format.endsWith('p')) expect(videos.map(({ label }) => label)).toContain(format);
      }
    }),
    { seed: 7, numRuns: propertyRuns(500) },
  );
});

it('chooses lowres no larger than midres, and midres no larger than highres', () => {
  fc.assert(
    fc.property(request, ({ content }) => {
      const { videos } = selectRenderables(content, ['lowres', 'midres', 'highres'], plans.PRO, rules);
      const heightsOf = videos.map((item) => ('error' in item ? undefined : item.metadata.height));
      if (heightsOf.includes(undefined)) expect(new Set(heightsOf)).toEqual(new Set([undefined]));
      else expect(heightsOf).toEqual(heightsOf.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    }),
    { seed: 8, numRuns: propertyRuns(300) },
  );
});
