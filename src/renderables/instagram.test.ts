import { expect, it } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { createInstagram } from '../platforms/instagram/index.ts';
import type { Endpoint } from '../platforms/platform.ts';
import { fakeSite } from '../platforms/testing/fake-site.ts';
import { selectRenderables } from './select-renderables.ts';
import { formatsRequested } from './testing/formats-requested.ts';

const code = 'DdG4RIxIPyf';
const file = (kind: string, attributes: string) =>
  `<AdaptationSet contentType="${kind}"><Representation ${attributes}><BaseURL>https://cdn.example/${kind}.mp4</BaseURL></Representation></AdaptationSet>`;
const manifest = `<MPD><Period>${file('video', 'id="1v" codecs="avc1.64001f" width="1080" height="1920"')}${file('audio', 'id="2a" codecs="mp4a.40.2"')}</Period></MPD>`;
const media = {
  pk: '3983118388705688735',
  code,
  media_type: 2,
  video_versions: [{ url: 'https://cdn.example/720.mp4', width: 720, height: 1280 }],
  video_dash_manifest: manifest,
};

it('joins silent files with their audio, and uses progressive ones unchanged', async () => {
  const [endpoint] = createInstagram().endpoints as readonly [Endpoint];
  const data = { xig_polaris_media: { code, if_not_gated_logged_out: media } };
  const { context } = fakeSite(() => ({ body: `<script type="application/json">${JSON.stringify(data)}</script>` }));
  const [content = {}] = (await endpoint.extract({ shortcode: code }, context)).contents ?? [];
  const rules = endpoint.renderables ?? { matches: () => false, audio: false };
  expect(selectRenderables(content, formatsRequested(['720p', '1080p']), plans.MEGA, rules).videos).toMatchObject([
    { label: '720p', job: { inputs: [{ ext: 'mp4' }], operation: { type: 'no_process' } } },
    { label: '1080p', job: { inputs: [{ ext: 'mp4' }, { ext: 'm4a' }], operation: { type: 'join_streams' } } },
  ]);
});
