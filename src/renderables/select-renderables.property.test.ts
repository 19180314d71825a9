import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outputContainers } from '../contract/containers.ts';
import type { JobDescription } from '../contract/job.ts';
import { generalFormats } from '../contract/parameters.ts';
import { parseJob } from '../contract/parse-job.ts';
import { audioFormats, embeddedParts } from '../contract/render-parameters.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import { plans } from '../contract/subscription-plans.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { additionsOf } from './file-additions.ts';
import type { RenderOptions } from './render-options.ts';
import { type RenderableFile, type SelectedRenderable, selectRenderables } from './select-renderables.ts';
import { slideshowOf } from './slideshow.ts';
import { formatsRequested } from './testing/formats-requested.ts';

const heights = [0, 144, 240, 360, 480, 720, 1080, 1440, 2160];
const languages = ['de', 'de-DE', 'en', 'fr-CA'];
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const anyMedia: fc.Arbitrary<SourceMedia> = fc
  .record({
    height: fc.constantFrom(...heights),
    url: fc.webUrl(),
    duration: optional(fc.integer({ min: 1, max: 10_000 })),
    ext: fc.constantFrom('mp4', 'm3u8', 'webm', 'm4a', 'mp3'),
    kind: fc.constantFrom('muxed' as const, 'video' as const, 'audio' as const),
    bytes: optional(fc.nat(5e9)),
    estimatedBytes: optional(fc.nat(5e9)),
    bitrate: optional(fc.nat(1e7)),
    videoCodec: optional(fc.constantFrom('h264', 'av1', 'vp9', 'vp8')),
    audioCodec: optional(fc.constantFrom('aac', 'opus', 'vorbis', 'mp3', 'flac')),
    language: optional(fc.constantFrom(...languages)),
    versionRank: optional(fc.nat(4)),
    secondary: optional(fc.boolean()),
  })
  .map(({ height, url, duration, ...stream }) => {
    const definedMembers = Object.fromEntries(Object.entries(stream).filter(([, value]) => value !== undefined));
    const metadata = {
      mime_type: 'x/y',
      width: height * 2,
      height,
      has_audio: stream.kind !== 'video',
      ...(duration === undefined ? {} : { duration }),
    };
    const item = { label: `${height}p`, url, repId: url, metadata };
    return { item, stream: definedMembers as unknown as NonNullable<SourceMedia['stream']> };
  });

const anyContent = fc.record({
  videos: fc.array(anyMedia, { maxLength: 20 }),
  audios: fc.array(anyMedia, { maxLength: 5 }),
});
const anyFormats = fc.uniqueArray(fc.constantFrom(...generalFormats, ...heights.map((height) => `${height}p`)), {
  maxLength: 8,
});
const anyPlan = fc.constantFrom(...Object.values(plans));
const request = fc.record({ content: anyContent, formats: anyFormats, plan: anyPlan });
const isFile = (item: SelectedRenderable): item is RenderableFile => !('error' in item);
const rules = { matches: (label: string, format: string) => label === format, audio: true };

it('respects the plan, returns an item for every format, and sorts the items of `all` by resolution', () => {
  fc.assert(
    fc.property(request, ({ content, formats, plan }) => {
      const slideshow = slideshowOf([content], 0, false, undefined);
      const { videos, audios } = selectRenderables(content, formatsRequested(formats), plan, rules, { slideshow });
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
      const options = formatsRequested(['lowres', 'midres', 'highres']);
      const { videos } = selectRenderables(content, options, plans.PRO, rules);
      const heightsOf = videos.map((item) => ('error' in item ? undefined : item.metadata.height));
      if (heightsOf.includes(undefined)) expect(new Set(heightsOf)).toEqual(new Set([undefined]));
      else expect(heightsOf).toEqual(heightsOf.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    }),
    { seed: 8, numRuns: propertyRuns(300) },
  );
});

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 40 }), fc.constant('x'.repeat(20_000)));
const anyMetadata = fc.record(
  {
    title: anyText,
    thumbnailUrl: fc.webUrl(),
    author: fc.record({ name: anyText, username: anyText }, { requiredKeys: [] }),
    additionalData: fc.record(
      {
        description: anyText,
        url: fc.oneof(fc.webUrl(), anyText),
        publishedAt: fc.oneof(anyText, fc.constant('2026-11-26T10:00:00Z'), fc.constant('2026-11-261')),
        category: anyText,
        chapters: fc.array(fc.record({ title: anyText, startMs: fc.oneof(fc.nat(), fc.double(), anyText) })),
        thumbnails: fc.array(
          fc.record({ url: fc.oneof(fc.webUrl(), anyText), width: fc.nat(5000), height: fc.nat(5000) }),
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const anyOptions: fc.Arbitrary<RenderOptions> = fc
  .record({
    formats: anyFormats,
    audioFormats: fc.uniqueArray(fc.constantFrom(...audioFormats)),
    audioBitrate: optional(fc.integer({ min: 32, max: 320 })),
    audioLanguages: fc.uniqueArray(fc.constantFrom(...languages, 'pl'), { maxLength: 3 }),
    clip: optional(fc.nat(5000).map((start) => ({ start, end: start + 30 }))),
    embed: fc.uniqueArray(fc.constantFrom(...embeddedParts)).map((parts) => new Set(parts)),
    maxSize: optional(fc.integer({ min: 65_536, max: 5e9 })),
  })
  .map(({ audioBitrate, clip, maxSize, ...others }) => ({
    ...others,
    subtitleLanguages: [],
    ...(audioBitrate === undefined ? {} : { audioBitrate }),
    ...(clip === undefined ? {} : { clip }),
    ...(maxSize === undefined ? {} : { maxSize }),
  }));

it('prepares only valid jobs, with all that was requested, and one item for each audio format', () => {
  const everything = fc.record({ content: anyContent, options: anyOptions, plan: anyPlan, metadata: anyMetadata });
  fc.assert(
    fc.property(everything, ({ content, options, plan, metadata }) => {
      const additions = additionsOf(metadata, content, options);
      const { videos, audios } = selectRenderables(content, options, plan, rules, { additions });
      const requestedAudios = audios.slice(audios.length - options.audioFormats.length);
      expect(requestedAudios.map(({ label }) => label)).toEqual(options.audioFormats);
      expect([...videos, ...requestedAudios].filter(isFile).length).toBeLessThanOrEqual(plan.renderableCount);
      for (const file of [...videos, ...audios].filter(isFile)) {
        const description: JobDescription = { id: 'p1-job', ...file.job };
        const job = parseJob(description);
        expect(job.clip).toEqual(options.clip);
        expect(job.output.metadata).toEqual(additions.metadata);
        expect(file.representations?.length).toBe(job.inputs.length);
        const { audioOnly } = outputContainers[job.output.ext as keyof typeof outputContainers];
        if (!audioOnly) expect(job.output.maxSize).toBe(options.maxSize);
        if (options.clip !== undefined || options.maxSize !== undefined) {
          if (!audioOnly) expect(file.metadata).not.toHaveProperty('content_length');
        }
        expect(file.estimatedBytes ?? 0).toBeLessThanOrEqual(plan.renderSize);
      }
    }),
    { seed: 9, numRuns: propertyRuns(500) },
  );
});
