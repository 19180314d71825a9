import { describe, expect, test } from 'vitest';
import { createPlatforms, defaultSettings, platformProbes } from '../platforms/index.ts';
import { ProbesError } from './probe-file.ts';
import { selectProbes } from './select-probes.ts';

const platforms = createPlatforms(defaultSettings);
const all = { platforms: [], names: [] };
const video = {
  name: 'video',
  endpoint: '/video/details',
  parameters: { videoId: 'jNQXAC9IVRw' },
  expects: ['metadata.title'],
};
const namesOf = (cases: ReturnType<typeof selectProbes>) =>
  cases.map(({ platform, probe }) => `${platform} ${probe.name}`);

test.each(platforms)('$id has a probe for every endpoint', ({ id, endpoints }) => {
  const probed = new Set(platformProbes[id]?.map(({ endpoint }) => endpoint));
  expect(endpoints.map(({ path }) => path).filter((path) => !probed.has(path))).toEqual([]);
});

test.each(Object.entries(platformProbes))(
  'the probes of %s name endpoints with their parameters, and have different names',
  (platform, probes) => {
    for (const probe of probes) expect(selectProbes(platforms, { [platform]: [probe] }, all)).not.toEqual([]);
    expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
  },
);

describe('selectProbes', () => {
  const short = { ...video, name: 'short' };
  const probes = { p5: [{ ...video, parameters: { videoId: 'xlab30' } }], p1: [video, short] };

  test('selects all probes in the order of the platforms', () => {
    expect(namesOf(selectProbes(platforms, probes, all))).toEqual(['p1 video', 'p1 short', 'p5 video']);
  });

  test('selects probes by platform and name', () => {
    const select = (ids: string[], names: string[]) =>
      namesOf(selectProbes(platforms, probes, { platforms: ids, names }));
    expect(select(['p5'], [])).toEqual(['p5 video']);
    expect(select([], ['short'])).toEqual(['p1 short']);
    expect(select(['p1', 'p5'], ['video'])).toEqual(['p1 video', 'p5 video']);
  });

  test('selects one case for each strategy if the probe has media', () => {
    const post = { ...video, endpoint: '/post/details', parameters: { url: 'https://www.tiktok.com/@a/video/1' } };
    const strategiesOf = (media: boolean) =>
      selectProbes(platforms, { p4: [{ ...post, media }] }, all).map(({ strategy, probe: { expects } }) => [
        strategy,
        expects,
      ]);
    expect(strategiesOf(false)).toEqual([[undefined, ['metadata.title']]]);
    expect(strategiesOf(true)).toEqual([
      ['desktop', ['metadata.title', 'contents.0']],
      ['mobile', ['contents.0']],
    ]);
    const only = { ...post, media: true, strategies: ['mobile'] };
    expect(selectProbes(platforms, { p4: [only] }, all).map(({ strategy }) => strategy)).toEqual(['mobile']);
    const unknown = { ...only, strategies: ['tablet'] };
    expect(() => selectProbes(platforms, { p4: [unknown] }, all)).toThrow(
      /tablet\. Strategies of .*: desktop, mobile\./,
    );
  });

  test.each([
    [
      'an unknown platform',
      { ...all, platforms: ['p9'] },
      probes,
      /The platform p9 does not exist\. Platforms: p1, p2/,
    ],
    ['an unknown name', { ...all, names: ['vidoe'] }, probes, /Probes: p5 video, p1 video, p1 short\./],
    ['an unknown platform in the file', all, { p9: [video] }, /The platform p9 does not exist/],
    [
      'an unknown endpoint',
      all,
      { p1: [{ ...video, endpoint: '/video' }] },
      /p1 video.*\/video\. Endpoints: .*\/video\/details/,
    ],
    [
      'an unknown parameter',
      all,
      { p1: [{ ...video, parameters: { id: 'a' } }] },
      /parameter, id\. Parameters of .*videoId/,
    ],
    [
      'a missing parameter',
      all,
      { p1: [{ ...video, parameters: {} }] },
      /p1 video cannot run: The parameter videoId is missing/,
    ],
  ])('rejects %s', (_what, selection, given, message) => {
    expect(() => selectProbes(platforms, given, selection)).toThrow(ProbesError);
    expect(() => selectProbes(platforms, given, selection)).toThrow(message);
  });
});
