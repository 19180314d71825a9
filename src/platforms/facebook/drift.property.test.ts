import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { fields, list } from '../../parsing/values.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { Extraction } from '../platform.ts';
import { resultUnlessUnread } from '../testing/extraction-outcome.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { namesIn, renamed } from '../testing/renamed-members.ts';
import { createFacebook } from './index.ts';
import { readPage } from './parse/page.ts';
import { photoList, postId, postPage, profilePage, reelId, reelList, reelPage } from './testing/pages.ts';

const site = 'https://www.facebook.com';
const recordings = readRecordings('p3');

/** A site page, and the request that reads it. */
interface Sample {
  readonly name: string;
  readonly path: string;
  readonly url: string;
  readonly html: string;
  readonly strategy: string;
}

const comment = { __typename: 'Comment', id: 'c1', body: { text: 'Nice' }, author: { id: '7', name: 'N' } };
const feedback = {
  id: 'f',
  total_comment_count: 1,
  comment_rendering_instance_for_feed_location: { comments: { edges: [{ node: comment }] } },
};

const simulated: readonly Sample[] = [
  ['/post/details', `/reel/${reelId}`, 'reel', reelPage()],
  ['/post/details', `/creator/posts/${postId}`, 'post', postPage({ feedback })],
  ['/profile/photos', '/creator', 'photos', profilePage(photoList(['101', '102'], 'n'))],
  ['/profile/reels', '/creator', 'reels_tab', profilePage(reelList(['101', '102'], 'n'))],
  ['/profile/details', '/creator', 'profile', profilePage()],
].map(([path = '', link = '', strategy = '', html = '']) => ({
  name: `made-up page of ${link}`,
  path,
  url: site + link,
  strategy,
  html: html.replace('<head>', `<head><link rel="canonical" href="${site}${link}" />`),
}));

const tamnd = 'tamnd__facebook-cli';
const recorded: readonly Sample[] = [
  ['/post/details', '/reel/1380134307388381', 'reel', `${tamnd}/reel.html.gz`],
  ['/post/details', '/reel/683361637963437', 'reel', 'shoaibwaqar665__virtus_media_analysis/fb_reel.html.gz'],
  ['/post/details', '/NASA/posts/1587860636042640', 'post', `${tamnd}/post_perm.html.gz`],
  ['/profile/details', '/NASA', 'profile', `${tamnd}/page_nasa.html.gz`],
  ['/profile/about', '/NASA', 'about', `${tamnd}/page_about.html.gz`],
  ['/profile/photos', '/NASA', 'photos', `${tamnd}/page_photos.html.gz`],
  ['/profile/reels', '/NASA', 'videos', `${tamnd}/page_videos.html.gz`],
].flatMap(([path = '', link = '', strategy = '', name = '']) => {
  const html = recordings.get(name);
  return html === undefined ? [] : [{ name, path, url: site + link, strategy, html }];
});

/** Runs the endpoint of a sample against a site that returns one page for every request. */
async function extract({ path, url, strategy }: Sample, html: string): Promise<Extraction> {
  const endpoint = createFacebook().endpoints.find((candidate) => candidate.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  const { context } = fakeSite(() => ({ body: html }));
  return endpoint.extract({ url }, { ...context, strategy });
}

/** Returns the number of entries in each list of a result. */
function entriesOf({ contents, metadata }: Extraction, path: string): Readonly<Record<string, number>> {
  const author = fields(metadata.author);
  const lengthOf = (value: unknown) => list(value).length;
  switch (path) {
    case '/post/details':
      return { contents: lengthOf(contents), comments: lengthOf(fields(metadata.comments).threads) };
    case '/profile/details':
      return { intro: lengthOf(author.intro), name: author.name === undefined ? 0 : 1 };
    case '/profile/about':
      return { lines: list(fields(author.about).sections).flatMap((section) => list(fields(section).fields)).length };
    default:
      return { entries: lengthOf(fields(author[path.split('/')[2] ?? '']).contents) };
  }
}

/** Members and types on the way to what the parsers read. */
const structure = new Set([
  ...'__bbox result data node node_v2 nodes edges user page video videos story collection style_renderer'.split(' '),
  ...'attachments media styles attachment all_subattachments comet_sections content creation_story'.split(' '),
  ...'short_form_video_context playback_video videoDeliveryLegacyFields browser_native_hd_url post_id id'.split(' '),
  ...'browser_native_sd_url dash_manifest_xml_string message actors viewer_image photo_image image uri'.split(' '),
  ...'comments comment_rendering_instance_for_feed_location body author feedback pageItems page_info'.split(' '),
  ...'has_next_page end_cursor aggregated_fb_shorts profile_reel_node all_videos latest_videos name'.split(' '),
  ...'profile_header_renderer profile_tile_sections profile_tile_views view_style_renderer view title'.split(' '),
  ...'profile_tile_items timeline_context_item timeline_context_list_item_type renderer context_item text'.split(' '),
  ...'about_app_sections activeCollections profile_field_sections profile_fields field_type __typename'.split(' '),
]);

/** Returns the names in a page that a change of the site could rename: structural members, types and operations. */
function changeableNames(html: string): readonly string[] {
  const types = new Set([...html.matchAll(/"__typename":"(\w{2,60})"/g)].map(([, name]) => name));
  return [...namesIn(html).filter((name) => structure.has(name) || types.has(name)), ...operationsIn(html)];
}

function operationsIn(html: string): readonly string[] {
  return [...new Set(readPage(html).results.flatMap(({ operation }) => operation ?? []))];
}

/** Renames members, types and operations. The names of operations are parts of other texts. */
function changed(html: string, names: readonly string[]): string {
  const operations = operationsIn(html).filter((name) => names.includes(name));
  return operations.reduce((text, name) => text.replaceAll(name, `${name}New`), renamed(html, new Set(names)));
}

const outcomes = { same: 0, fewer: 0, error: 0 };

/** Checks that a change costs no entry silently. */
async function expectNoSilentLoss(sample: Sample, before: Extraction, names: readonly string[]): Promise<void> {
  const change = `${sample.name} after ${names.join(' ')}`;
  const after = await resultUnlessUnread(extract(sample, changed(sample.html, names)), change);
  if (after === undefined) {
    outcomes.error += 1;
    return;
  }
  const [expected, rest] = [before, after].map((extraction) => entriesOf(extraction, sample.path));
  const isSame = Object.entries(rest ?? {}).every(([name, count]) => count >= (expected?.[name] ?? 0));
  outcomes[isSame ? 'same' : 'fewer'] += 1;
  if (!isSame) expect(after.unread, change).not.toEqual({});
}

async function expectNoSilentLosses(sample: Sample, runs: number): Promise<void> {
  const before = await extract(sample, sample.html);
  expect(before.unread ?? {}, sample.name).toEqual({});
  expect(Object.values(entriesOf(before, sample.path)).some((count) => count > 0)).toBe(true);
  const names = changeableNames(sample.html);
  const mutation = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...names).map((name) => [name]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...names), { minLength: 3, maxLength: 12 }) },
  );
  const examples = sample.html.length > 100_000 ? [] : names.map((name): [string[]] => [[name]]);
  await fc.assert(
    fc.asyncProperty(mutation, (each) => expectNoSilentLoss(sample, before, each)),
    { seed: 11, numRuns: runs + examples.length, examples },
  );
}

afterAll(() => {
  const { same, fewer, error } = outcomes;
  process.stdout.write(`p3 after changes: ${same} results with every entry, ${fewer} with fewer, ${error} errors\n`);
});

describe('a truncated page', () => {
  it.each([...simulated, ...recorded])('of a $name is never a verdict', async (sample) => {
    for (const part of [0.1, 0.3, 0.6, 0.9]) {
      const html = sample.html.slice(0, sample.html.length * part);
      const codes = ['invalid_response_data', 'non_2xx_response'] as const;
      await resultUnlessUnread(extract(sample, html), `a cut at ${part} of ${sample.name}`, codes);
    }
  });
});

describe('a change of the site', () => {
  it.each(simulated)('costs no entry of a $name silently', (sample) => expectNoSilentLosses(sample, propertyRuns(60)));

  it.skipIf(recorded.length === 0).each(recorded)('costs no entry of the recording $name silently', (sample) =>
    expectNoSilentLosses(sample, propertyRuns(12)),
  );
});
