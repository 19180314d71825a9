import { describe, expect, test } from 'vitest';
import { parseNewWebhook, parseWebhookTest } from './account-webhooks.ts';

const url = 'https://hooks.example/';
const secret = 'a secret of 16 characters';

/** Returns the paths of the faults of a body. */
function faultsOf(parse: (body: unknown) => unknown, body: unknown): readonly string[] {
  try {
    parse(body);
    return [];
  } catch (error) {
    return (error as { fields: { path: string }[] }).fields.map(({ path }) => path);
  }
}

describe('a new webhook', () => {
  test('has the given secret, or a random key', () => {
    expect(parseNewWebhook({ url, secret })).toEqual({ url, secret });
    const [one, two] = [parseNewWebhook({ url }), parseNewWebhook({ url })];
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(one.secret).not.toBe(two.secret);
  });

  test.each([
    [undefined, ['']],
    [{}, ['url']],
    [{ url: 'ftp://hooks.example/' }, ['url']],
    [{ url: 'https://me:word@hooks.example/' }, ['url']],
    [{ url, secret: 'short' }, ['secret']],
    [{ url, secret: 'whsec_%%%%%%%%%%%%%%%%' }, ['secret']],
    [{ url, events: [] }, ['events']],
  ])('is rejected: %j', (body, paths) => {
    expect(faultsOf(parseNewWebhook, body)).toEqual(paths);
  });
});

describe('a webhook test', () => {
  test('is for a stored webhook, or for a URL and a secret', () => {
    expect(parseWebhookTest({ webhookId: 'a' })).toEqual({ webhookId: 'a' });
    expect(parseWebhookTest({ url, secret })).toEqual({ url, secret });
  });

  test.each([
    [{}, ['']],
    [{ url }, ['']],
    [{ secret }, ['']],
    [{ webhookId: 'a', url, secret }, ['']],
    [{ url: '/hooks', secret }, ['url']],
  ])('is rejected: %j', (body, paths) => {
    expect(faultsOf(parseWebhookTest, body)).toEqual(paths);
  });
});
