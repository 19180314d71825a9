import { brotliCompressSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { contractOf } from '../support/contract.ts';

const service = inject('serviceUrl');
const contract = await contractOf(service);
const response = await fetch(`${service}/docs`);
const page = await response.text();
const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, match = '']) => match);

describe('GET /docs', () => {
  test('is a small page that needs no key and runs no scripts', () => {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page).not.toMatch(/<script|<iframe|<img|<link|<form|\son\w+=|\sstyle=/i);
    expect(Buffer.byteLength(page)).toBeLessThan(250_000);
    expect(brotliCompressSync(page).length).toBeLessThan(30_000);
  });

  test('may load nothing from any origin', () => {
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page).not.toMatch(/@import|url\(/);
  });

  test('links only to itself and to the document', () => {
    const ids = new Set(all(/\sid="([^"]+)"/g));
    expect(ids.size).toBe(all(/\sid="([^"]+)"/g).length);
    for (const link of all(/\shref="([^"]+)"/g)) {
      if (link !== '/openapi') expect(ids, link).toContain(link.slice(1));
    }
    for (const label of all(/aria-labelledby="([^"]+)"/g)) expect(ids).toContain(label);
  });

  test('can be navigated by headings, and has a skip link', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toMatch(/<body>\s*<a class="skip" href="#content">/);
    expect(page).toMatch(/<main id="content"/);
    expect(page).toMatch(/<nav aria-label="[^"]+">/);
    const levels = all(/<h([1-6])/g).map(Number);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, at) => {
      expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
    });
  });

  test.each(
    contract?.operations.map(({ method, path, parameters }) => [`${method} ${path}`, path, parameters] as const) ?? [],
  )('documents %s with its parameters, its responses and an example', (name, path, parameters) => {
    const sections = page.split('<section ').filter((section) => section.includes(`<code>${path}</code></a></h3>`));
    const section = sections.find((each) => each.includes(`>${name.split(' ')[0]}</span>`)) ?? '';
    expect(section).toContain('<h4>Responses</h4>');
    expect(section).toMatch(/<pre tabindex="0"><code>(?:curl|ws:)/);
    for (const parameter of parameters) expect(section).toContain(`<dt><code>${parameter.name}</code>`);
  });

  test('names every error code, and the limits of each plan', () => {
    for (const code of ['params_not_found', 'invalid_token', 'age_restricted', 'operation_timeout', 'rate_limited']) {
      expect(page).toContain(`id="error-${code}"`);
    }
    for (const plan of ['BASIC', 'PRO', 'ULTRA', 'MEGA']) expect(page).toContain(`<th scope="col">${plan}</th>`);
    expect(page).toContain('500.00 MB');
  });

  test('lists every value of a long list once', () => {
    expect(page.match(/<code>zu<\/code>/g)).toHaveLength(1);
    expect(page.match(/<code>XK<\/code>/g)).toHaveLength(1);
  });
});
