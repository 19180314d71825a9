import { describe, expect, inject, test } from 'vitest';
import { contractOf } from '../support/contract.ts';

const service = inject('serviceUrl');
const contract = await contractOf(service);
const response = await fetch(`${service}/docs`);
const page = await response.text();
const { info, components, tags } = (await (await fetch(`${service}/openapi`)).json()) as {
  readonly info: { readonly description: string };
  readonly tags: readonly Readonly<Record<string, string>>[];
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly description: string }>> };
};
const addressOf = (name: string) => new RegExp(`="\\.(/assets/[\\w-]{16}/${name})"`).exec(page)?.[1] ?? '';
const fetchAsset = (name: string) => fetch(service + addressOf(name), { headers: { 'accept-encoding': 'br' } });

describe('GET /docs', () => {
  test('is a page that needs no key and has no inline scripts', () => {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<script>|<iframe|<form|\son\w+=|\sstyle=|(?:src|href)="(?:https?:)?\/\//i);
  });

  test('may run only its own scripts, and send requests only to the service', () => {
    const policy = response.headers.get('content-security-policy') ?? '';
    const directives = new Map(policy.split('; ').map((each) => [each.split(' ', 1)[0], each.split(' ').slice(1)]));
    const [, folder = ''] = /^\/assets\/([\w-]+)\//.exec(addressOf('scalar.js')) ?? [];
    // The public address, and the host that the request names.
    const own = [service, new URL(service).host].map((place) => `${place}/assets/${folder}/`);
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.get('script-src')).toEqual(own);
    expect(directives.get('style-src')).toEqual([...own, "'unsafe-inline'"]);
    expect(directives.get('connect-src')).toEqual(["'self'", service, service.replace('http', 'ws')]);
    expect(policy).not.toMatch(/unsafe-eval|\*/);
    expect(policy.match(/unsafe-inline/g)).toHaveLength(1);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each(['scalar.js', 'reference.js', 'reference.css', 'icon.svg', 'licences.txt', 'guides.md'])(
    'has the asset %s, which browsers may keep for ever',
    async (name) => {
      const { status, headers } = await fetchAsset(name);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers.get('content-encoding')).toBe('br');
    },
  );

  test('has the licence of Scalar and a guide for each subject', async () => {
    expect(await (await fetchAsset('licences.txt')).text()).toContain('Permission is hereby granted');
    const titles = [...(await (await fetchAsset('guides.md')).text()).matchAll(/^# (.*)$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      'Authentication',
      'Pagination',
      'Errors and retries',
      'Idempotency',
      'Rate limits',
      'Rendering',
      'Clips and tags',
      'Webhooks',
      'Healing',
      'Versioning and deprecation',
    ]);
  });

  test('is the only page that allows inline styles', async () => {
    for (const path of ['/', '/about', '/service-worker.js', '/openapi']) {
      const { headers } = await fetch(service + path);
      expect([path, headers.get('content-security-policy')]).not.toEqual([path, expect.stringContaining('unsafe')]);
    }
  });
});

describe('the document that GET /docs shows', () => {
  test.each(
    contract?.operations.map(({ method, path, parameters }) => [`${method} ${path}`, parameters] as const) ?? [],
  )('has an example for each required query parameter of %s', (_name, parameters) => {
    const required = parameters.filter((each) => each.required && each.in === 'query');
    const missing = required.filter(({ example }) => example === undefined).map(({ name }) => name);
    // Only the service can provide the order of an execution URL.
    expect(missing.filter((name) => name !== 'order')).toEqual([]);
  });

  test('names every error code, and the limits of each plan', () => {
    for (const code of ['params_not_found', 'invalid_token', 'age_restricted', 'operation_timeout', 'rate_limited']) {
      expect(info.description).toContain(`| \`${code}\` |`);
    }
    expect(info.description).toContain('| Limit | BASIC | PRO | ULTRA | MEGA |');
    expect(info.description).toContain('| Size of a rendered file | 500.00 MB |');
  });

  test('names and describes every group and every way to authenticate', () => {
    for (const tag of tags) expect(tag).toMatchObject({ 'x-displayName': /./, description: /\.$/ });
    for (const { description } of Object.values(components.securitySchemes)) expect(description).toMatch(/\.$/);
  });
});
