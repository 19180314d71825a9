import { describe, expect, it } from 'vitest';
import { maxUrlLength } from '../../contract/addresses.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { plans } from '../../contract/subscription-plans.ts';
import { type LongOrder, openOrder } from '../../render/jobs/execution-url.ts';
import { additionsOf } from '../../renderables/file-additions.ts';
import { defaultRenderOptions } from '../../renderables/render-options.ts';
import { selectRenderables } from '../../renderables/select-renderables.ts';
import { createSealer } from '../../sealing/sealer.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { runSteps } from '../../waiting/steps.ts';
import { createRenderableItems } from './renderable-items.ts';

const sealer = createSealer(['a secret of the tests']);
const address = 'https://render.example';

/** Returns text that cannot be compressed well. */
function randomText(length: number, seed: number): string {
  const random = seededRandom(seed);
  return Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(random() * 20_000))).join('');
}

describe('the execution URLs of six formats with 100 chapters and a description of 5,000 characters', () => {
  const chapters = Array.from({ length: 100 }, (_, at) => ({ title: randomText(60, at), startMs: at * 1000 }));
  const metadata = { title: 'Title', additionalData: { description: randomText(5000, 1000), chapters } };
  const metadataOf = (height: number) => ({ mime_type: 'video/mp4', width: height, height, has_audio: true });
  const videos = [144, 240, 360, 480, 720, 1080].map((height) => ({
    item: {
      label: `${height}p`,
      url: `https://cdn.example/${height}`,
      repId: `${height}`,
      metadata: metadataOf(height),
    },
    stream: { ext: 'mp4', kind: 'muxed', audioCodec: 'aac' } as const,
  }));
  const additions = additionsOf(metadata, { videos }, defaultRenderOptions);
  const options = { ...defaultRenderOptions, formats: ['all'] };
  const rules = { matches: () => false, audio: false };
  const selected = selectRenderables({ videos }, options, plans.ULTRA, rules, { additions }).videos;
  const create = (keepLongOrder: (order: LongOrder) => void) =>
    runSteps(
      createRenderableItems(selected, {
        platform: 'p1',
        title: 'Title',
        account: { id: 'account', plan: plans.ULTRA } as Parameters<typeof createRenderableItems>[1]['account'],
        exit: 'direct',
        originOf: () => ({ platform: 'p1', endpoint: '/video/details', parameters: {}, content: 0 }),
        addresses: { base: address, render: address } as Parameters<typeof createRenderableItems>[1]['addresses'],
        sealer,
        healsLinks: true,
        keepLongOrder,
      }),
    );

  it('are short, and their orders are stored completely', () => {
    const orders = new Map<string, LongOrder['order']>();
    const items = create(({ orderId, order }) => orders.set(orderId, order));
    expect(items.map(({ label }) => label)).toEqual(['144p', '240p', '360p', '480p', '720p', '1080p']);
    expect(orders.size).toBe(6);
    for (const { renderConfig } of items) {
      const url = new URL(renderConfig?.executionUrl ?? '');
      expect(url.href.length).toBeLessThan(maxUrlLength / 10);
      const { content } = openOrder(sealer, url.searchParams.get('order') ?? '');
      const order = orders.get('orderId' in content ? content.orderId : '');
      const { output } = parseJob(order?.description);
      expect(output.chapters).toHaveLength(100);
      expect(output.metadata?.description).toBe(metadata.additionalData.description);
    }
  });

  it('are errors if their orders cannot be stored', () => {
    const items = create(() => {
      throw new Error('the database is away');
    });
    for (const item of items) expect(item).toEqual({ label: item.label, requested: 'all', error: expect.any(String) });
  });
});
