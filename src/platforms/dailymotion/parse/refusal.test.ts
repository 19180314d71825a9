import { describe, expect, it } from 'vitest';
import { findRefusal, parseRefusal } from './refusal.ts';

const access = (code: string) => ({ title: 'A title.', message: 'm', raw_message: 'r', code, status_code: 403 });

describe('parseRefusal', () => {
  it.each([
    ['DM001', 'not_found', false],
    ['DM002', 'not_found', false],
    ['DM003', 'unavailable', true],
    ['DM004', 'unavailable', false],
    ['DM005', 'unavailable', false],
    ['DM006', 'unavailable', true],
    ['DM007', 'unavailable', false],
    ['DM008', 'age_restricted', false],
    ['DM009', 'age_restricted', false],
    ['DM010', 'unavailable', false],
    ['DM011', 'unavailable', false],
    ['DM012', 'unavailable', true],
    ['DM013', 'unavailable', false],
    ['DM014', 'unavailable', false],
    ['DM015', 'unavailable', false],
    ['DM016', 'unavailable', false],
    ['DM019', 'unavailable', false],
    ['DM999', 'unavailable', false],
  ])('reads %s as %s', (code, expected, retryable) => {
    const refusal = parseRefusal(access(code), 200);
    expect(refusal.code).toBe(code);
    expect(refusal.error).toMatchObject({ code: expected, retryable, reason: 'A title.' });
  });

  it.each<[Record<string, unknown>, number, string, string]>([
    [{ code: 404, type: 'not_found', message: 'No video.' }, 200, 'not_found', 'not_found'],
    [{ code: '403', type: 'password_protected', message: 'Give it.' }, 200, 'password_protected', 'unavailable'],
    [{ code: 403, type: 'access_forbidden', message: 'x' }, 200, 'access_forbidden', 'unavailable'],
    [{ code: 401, type: 'authentication', message: 'x' }, 200, 'authentication', 'signin_required'],
    [{ code: 429, message: 'x' }, 200, '', 'non_2xx_response'],
    [{ message: 'x' }, 503, '', 'non_2xx_response'],
    [{ message: 'x' }, 404, '', 'not_found'],
    [{ code: { valueOf: 1 }, type: 'constructor' }, 200, 'constructor', 'unavailable'],
  ])('reads %j with status %i', (error, status, code, expected) => {
    expect(parseRefusal(error, status)).toMatchObject({ code, error: { code: expected } });
  });

  it("returns the site's text without markup and within the length limit", () => {
    const title = `A &quot;title&quot;<br />with <a href="/x" class="y">a link</a> &#128512;&#x1F600; &bogus; ${'😀'.repeat(600)}`;
    const { reason = '' } = parseRefusal({ ...access('DM010'), title }, 403).error;
    expect(reason).toMatch(/^A "title"\nwith a link 😀😀 &bogus; /);
    expect(reason.length).toBeLessThanOrEqual(500);
    expect(reason.isWellFormed()).toBe(true);
  });

  it('uses the message when there is no title, and omits the reason when there is no text', () => {
    expect(parseRefusal({ code: 'DM010', message: '<b>Words</b>' }, 403).error.reason).toBe('Words');
    expect(parseRefusal({ code: 'DM010' }, 403).error.reason).toBeUndefined();
    expect(parseRefusal({ code: 'DM010', message: '<b></b>' }, 403).error.reason).toBeUndefined();
  });
});

it.each([undefined, null, [], {}, { error: null }, { error: [] }, { error: {} }, { error: 'no' }])(
  'finds no refusal in %j',
  (body) => {
    expect(findRefusal(body, 403)).toBeUndefined();
  },
);
