import { describe, expect, it } from 'vitest';
import { count, dig, fields } from '../../../../parsing/values.ts';
import { recording, recordings, recordingsOf } from '../../testing/recordings.ts';
import { queryOracle } from '../../testing/youtubei-oracle.ts';
import { readVideoMetadata } from '../video-metadata.ts';
import { readChapters, readHeatmap } from './chapters.ts';
import { readMusic } from './music.ts';
import { readRelated, readWatchPage } from './watch-page.ts';

const players = recordingsOf('player');
const watches = recordingsOf('watch');

describe.skipIf(recordings().length === 0)('recorded watch pages', () => {
  it.each(watches.map(({ name }) => name))('describe the video in %s', (name) => {
    const watch = fields(recording(name).body);
    const page = readWatchPage(watch);
    const related = readRelated(watch);
    expect(related.items.length).toBeGreaterThan(5);
    expect(related.continuation).toMatch(/^[\w%-]{20,}$/);
    expect(related.items.map(({ id }) => id).toSorted()).toEqual(queryOracle(watch).ids.toSorted());
    if (name.includes('novisualmetadata')) return expect(page).toEqual({ isLive: false, likes: {}, comments: {} });
    expect(page).toMatchObject({
      title: expect.stringMatching(/\S/),
      channel: { id: expect.stringMatching(/^UC/), name: expect.stringMatching(/\S/) },
      viewCountText: expect.stringMatching(/^[\d,]+ (?:views|watching now)$/),
      dateText: expect.stringMatching(/\d{4}$/),
    });
    // The page of the live stream links to its channel by an address from before handles were introduced.
    if (!page.isLive) expect(page.channel?.handle).toMatch(/^@/);
    expect(page.channel?.subscriberCount).toBeGreaterThan(1_000);
    if (!name.includes('ratingsdisabled')) expect(page.likes.likeCount).toBeGreaterThan(10);
    else expect(page.likes).toEqual({});
  });

  it('have the same exact like counts as the microformat', () => {
    const pairs = [7, 4].flatMap((number) =>
      players
        .filter(({ name }) => name.endsWith(`_${number}.json.gz`) && /^player\/(?:head|pr0702)/.test(name))
        .map(
          (player) =>
            [
              player,
              watches.find(
                ({ name }) =>
                  name === player.name.replace('player/', 'watch/').replace(`_${number}.`, `_${number + 1}.`),
              ),
            ] as const,
        ),
    );
    let comparisons = 0;
    for (const [{ name, body }, watch] of pairs) {
      const exact = count(dig(body, 'microformat', 'playerMicroformatRenderer', 'likeCount'));
      if (exact === undefined || watch === undefined || name.includes('novisual')) continue;
      expect(readWatchPage(fields(watch.body)).likes.likeCount, name).toBe(exact);
      comparisons += 1;
    }
    expect(comparisons).toBe(13);
  });

  const chaptersOf = (name: string) => readChapters(fields(recording(`watch/${name}.json.gz`).body));

  it("have chapters by the videos' authors and by the site", () => {
    const manualChapters = chaptersOf('head__stream_streamdefault_streamsegmentsmailab_8');
    expect(manualChapters).toHaveLength(7);
    expect(manualChapters.slice(0, 2)).toMatchObject([
      {
        title: 'Ein erstaunlich kontroverses Thema',
        startMs: 0,
        kind: 'description',
        thumbnails: [{ width: 336 }, {}],
      },
      { title: 'Was ist Vitamin D?', startMs: 164_000, kind: 'description' },
    ]);
    const autoChapters = chaptersOf('pr0702__stream_streamcollaborators_5');
    expect(autoChapters.map(({ startMs }) => startMs)).toEqual([0, 64_000, 223_599, 298_080, 405_360, 643_360]);
    expect(autoChapters.every(({ kind }) => kind === 'auto')).toBe(true);
    expect(chaptersOf('pr0702__stream_streamdefault_licenseddoctor_5')).toMatchObject([
      { title: 'Method of Oxygenation', startMs: 39_000, kind: 'auto' },
      { title: 'LMA Insertion', startMs: 115_000 },
      {},
      {},
    ]);
    expect(chaptersOf('head__stream_streamunlisted_8')).toEqual([]);
  });

  it('have heatmaps, music, licenses, locations and collaborators', () => {
    const page = (name: string) => fields(recording(`watch/${name}.json.gz`).body);
    const heat = readHeatmap(page('pr0702__stream_streamdefault_licenseddoctor_5'));
    expect(heat).toHaveLength(100);
    expect(heat[0]).toEqual({ startMs: 0, durationMs: 3_440, intensity: 0.519865672832225 });
    expect(readMusic(page('ivorg__regular_no-description.next'))).toMatchObject([
      {
        title: 'Auberge (Single Version; 2019 Remaster)',
        artist: 'Chris Rea',
        album: 'Auberge',
        credits: { Song: 'Auberge (Single Version; 2019 Remaster)', Artist: 'Chris Rea' },
      },
    ]);
    expect(readWatchPage(page('head__stream_streamdefault_cclicensed_8')).license).toBe(
      'Creative Commons Attribution licence (reuse allowed)',
    );
    expect(readWatchPage(page('head__stream_streamcontroversial_8'))).toMatchObject({ rows: { Rating: 'L+ V' } });
    expect(readWatchPage(page('pr0702__stream_streamdefault_licenseddoctor_5'))).toMatchObject({
      superTitle: [{ text: 'MELBOURNE' }],
      likes: { likeCount: 1_016, likeCountText: '1k' },
      comments: { commentCount: 18, commentCountText: '18' },
      channel: { name: 'ABCs of Anaesthesia', verified: true, subscriberCount: 219_000 },
    });
    expect(readWatchPage(page('pr0702__stream_streamcollaborators_5')).collaborators).toMatchObject([
      { id: 'UC513PdAP2-jWkJunTh5kXRw', handle: '@CrunchLabs', verified: true, subscriberCount: 2_930_000 },
      { id: 'UCY1kMZp36IQSyNx_9h4mpCg', handle: '@MarkRober', verified: true, subscriberCount: 78_900_000 },
    ]);
    const live = { watch: page('h20260126__2026-01-26_8133708d_stream_streamlivestream_6') };
    expect(readVideoMetadata('jfKfPfyJRdk', live).additionalData?.statistics).toEqual({
      viewerCount: 28_405,
      viewerCountText: '28,405 watching now',
      likeCount: 3_436_996,
      likeCountText: '3.4m',
    });
  });
});
