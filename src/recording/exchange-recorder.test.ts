import { describe, expect, test } from 'vitest';
import type { SourceClient, SourceResponse } from '../platforms/platform.ts';
import { createRecorder } from './exchange-recorder.ts';

function clientWith(...responses: readonly (Partial<SourceResponse> | Error)[]): SourceClient {
  const left = [...responses];
  const next = async (url: string): Promise<SourceResponse> => {
    const response = left.shift();
    if (response instanceof Error) throw response;
    return { status: 200, headers: {}, url, text: '', ...response };
  };
  return { get: next, post: next };
}

const url = 'https://site.example/a';

describe('a recorder', () => {
  test('records requests and responses in their order, in the layout of recordings', async () => {
    const recorder = createRecorder();
    const client = recorder.wrap(
      clientWith(
        { text: '{"a":1}', headers: { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] } },
        { status: 404, text: '<html>' },
        { text: '[]' },
      ),
    );
    await client.get(url, { headers: { accept: '*/*' } });
    await client.post(url, { q: 1 });
    await client.post(url, new URLSearchParams({ q: 'é' }));
    const source = { tool: 'millrace', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect([...recorder.exchanges()]).toEqual([
      {
        source,
        request: { method: 'GET', url, headers: { accept: ['*/*'] }, body: null },
        response: {
          status: 200,
          headers: { 'content-type': ['application/json'], 'set-cookie': ['a=1', 'b=2'] },
          body: { a: 1 },
        },
      },
      {
        source,
        request: { method: 'POST', url, headers: {}, body: { q: 1 } },
        response: { status: 404, headers: {}, body: '<html>' },
      },
      {
        source,
        request: { method: 'POST', url, headers: {}, body: 'q=%C3%A9' },
        response: { status: 200, headers: {}, body: [] },
      },
    ]);
  });

  test('records a redirected request and its final address', async () => {
    const recorder = createRecorder();
    await recorder.wrap(clientWith({ url: `${url}/b`, text: 'x' })).get(url);
    expect([...recorder.exchanges()]).toMatchObject([
      { request: { url }, response: { status: 302, headers: { location: [`${url}/b`] } } },
      { request: { method: 'GET', url: `${url}/b` }, response: { status: 200, body: 'x' } },
    ]);
  });

  test('leaves out requests without a response', async () => {
    const recorder = createRecorder();
    await expect(recorder.wrap(clientWith(new Error('no'))).get(url)).rejects.toThrow('no');
    expect([...recorder.exchanges()]).toEqual([]);
  });

  test('returns the exchanges of the last requests', async () => {
    const recorder = createRecorder();
    const client = recorder.wrap(clientWith({ text: '1' }, { text: '2' }, { text: '3' }));
    for (let time = 0; time < 3; time += 1) await client.get(url);
    expect(Array.from(recorder.exchanges(2), ({ response }) => response.body)).toEqual(['2', '3']);
  });

  test('keeps large JSON as text', async () => {
    const recorder = createRecorder();
    const text = JSON.stringify({ a: 'x'.repeat(2_000_000) });
    await recorder.wrap(clientWith({ text })).get(url);
    expect([...recorder.exchanges()][0]?.response.body).toBe(text);
  });

  test('keeps JSON with numbers over 2^53 as text', async () => {
    const recorder = createRecorder();
    await recorder.wrap(clientWith({ text: '{"id":7400000000000000001}' })).get(url);
    expect([...recorder.exchanges()][0]?.response.body).toBe('{"id":7400000000000000001}');
  });
});
