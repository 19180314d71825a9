import { describe, expect, test } from 'vitest';
import { readRecordings } from '../../test/support/recordings.ts';
import { startCpuClock } from '../testing/cpu-clock.ts';
import { mask } from './mask.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { scrubExchange } from './scrub.ts';
import { createVisitValues } from './visit-values.ts';

const link =
  'https://rr3---sn-a.googlevideo.com/videoplayback?expire=1764115200&ei=EventOfVisit01&ip=198.18.33.44&id=o-AB&itag=22' +
  '&spc=SpcSecret01&n=Abc&sig=AJfQdSswRQIhAPsecretSig01%3D&lsig=AGluJ3MwsecretLsig02%3D%3D&cpn=x';

function exchange(body: unknown, more: Partial<RecordedExchange['response']> = {}): RecordedExchange {
  return {
    source: { tool: 'millrace', date: '2026-11-26' },
    request: { method: 'GET', url: 'https://www.site.example/', headers: {}, body: null },
    response: { status: 200, headers: {}, body, ...more },
  };
}

function bodyOf(body: unknown, own: readonly string[] = []): unknown {
  return scrubExchange(exchange(body), own).response.body;
}

test('a secret of an earlier exchange is masked where a later one has it without its name', () => {
  const visit = createVisitValues();
  scrubExchange(exchange({ visitorData: 'CgtVisitOfThisMachine' }), [], visit);
  expect(scrubExchange(exchange({ other: 'CgtVisitOfThisMachine' }), [], visit).response.body).toEqual({
    other: mask('CgtVisitOfThisMachine'),
  });
});

describe('a scrubbed exchange', () => {
  test('has no cookie values, and keeps their names and attributes', () => {
    const { request, response } = scrubExchange({
      ...exchange('', {
        headers: { 'set-cookie': ['ttwid=1%7CsecretVisit; Path=/; HttpOnly', 'mid=Zsecret; Secure'] },
      }),
      request: {
        method: 'GET',
        url: 'https://www.site.example/?msToken=secretToken01',
        headers: { Cookie: ['datr=secretDatr; csrftoken=0123'], authorization: ['Bearer secret'] },
        body: null,
      },
    });
    expect(request).toEqual({
      method: 'GET',
      url: 'https://www.site.example/?msToken=aaaaaaaaaaaaa',
      headers: { Cookie: ['datr=aaaaaaaaaa; csrftoken=9999'], authorization: ['aaaaaa aaaaaa'] },
      body: null,
    });
    expect(response.headers).toEqual({
      'set-cookie': ['ttwid=a%7Caaaaaaaaaaa; Path=/; HttpOnly', 'mid=aaaaaaa; Secure'],
    });
  });

  test('keeps everything in a link except its signatures, visit and address', () => {
    const scrubbed =
      'https://rr3---sn-a.googlevideo.com/videoplayback?expire=1764115200&ei=aaaaaaaaaaaaaa&ip=192.0.2.1&id=o-AB&itag=22' +
      '&spc=aaaaaaaaaaa&n=Abc&sig=aaaaaaaaaaaaaaaaaaaaaaaaa%3D&lsig=aaaaaaaaaaaaaaaaaaaa%3D%3D&cpn=x';
    expect(bodyOf({ url: link })).toEqual({ url: scrubbed });
    expect(bodyOf(`<a href="${link.replaceAll('&', '&amp;')}">`)).toBe(
      `<a href="${scrubbed.replaceAll('&', '&amp;')}">`,
    );
    expect(bodyOf(`{\\"u\\":\\"${link.replaceAll('/', '\\\\\\/').replaceAll('&', '\\\\u0026')}\\"}`)).toBe(
      `{\\"u\\":\\"${scrubbed.replaceAll('/', '\\\\\\/').replaceAll('&', '\\\\u0026')}\\"}`,
    );
    expect(bodyOf(`s=${'S'.repeat(40)}&sp=sig&url=${encodeURIComponent(link)}`)).toBe(
      `s=${'a'.repeat(40)}&sp=sig&url=${encodeURIComponent(scrubbed)}`,
    );
  });

  test.each([
    [
      '#EXT-X-MEDIA:URI="https://a.example/ei/EventSecret/ip/2a01%3A4f8%3A%3A7/sig/Secret01%3D/f/1"\n',
      '#EXT-X-MEDIA:URI="https://a.example/ei/aaaaaaaaaaa/ip/2001%3Adb8%3A%3A1/sig/aaaaaaaa%3D/f/1"\n',
    ],
    [
      'https://d.example/sec2(Secret-token_1)/video/1.mp4#cell=cf',
      'https://d.example/sec2(aaaaaa-aaaaa_a)/video/1.mp4#cell=cf',
    ],
    [
      'https://d.example/m.m3u8?sec=Secret1&dmTs=123456&dmV1st=0A0b-1\n',
      'https://d.example/m.m3u8?sec=aaaaaaa&dmTs=999999&dmV1st=aaaa-a\n',
    ],
    [
      'https://c.example/a.mp4?_nc_cat=1&_nc_ohc=Secret&oh=00_AYsecret&oe=67ABCDEF',
      'https://c.example/a.mp4?_nc_cat=9&_nc_ohc=aaaaaa&oh=aa_aaaaaaaa&oe=67ABCDEF',
    ],
    ['["LSD",[],{"token":"AVsecret_1"},323]', '["LSD",[],{"token":"aaaaaaaa_a"},323]'],
    ['<input type="hidden" name="lsd" value="AVsecret" />', '<input type="hidden" name="lsd" value="aaaaaaaa" />'],
    [
      '{\\"csrf_token\\":\\"secret01\\",\\"_js_datr\\":{\\"value\\":\\"secret02\\"}}',
      '{\\"csrf_token\\":\\"aaaaaaaa\\",\\"_js_datr\\":{\\"value\\":\\"aaaaaaaa\\"}}',
    ],
    [
      '{"wid":"7400000000000000001","odinId":"123456","signature":"I like sig=1"}',
      '{"wid":"9999999999999999999","odinId":"999999","signature":"I like sig=1"}',
    ],
    [
      '["MRequestConfig",[],{"dtsg":{"token":"NAfSecret01:0:0"}}],["MqttWebDeviceID",[],{"clientID":"5cb0-secret"}]',
      '["MRequestConfig",[],{"dtsg":{"token":"aaaaaaaaaaa:a:a"}}],["MqttWebDeviceID",[],{"clientID":"aaaa-aaaaaa"}]',
    ],
    [
      '{"ajaxResponseToken":{"secret":"Y891vJTzvC8R4uCz","encrypted":"AYmdM6-secret"}}',
      '{"ajaxResponseToken":{"secret":"aaaaaaaaaaaaaaaa","encrypted":"aaaaaa-aaaaaa"}}',
    ],
    [
      '{\\"profile_session_id\\":\\"bd76ac9c-8711-4c52-bf72\\",\\"updatedVisitorData\\":\\"CgtzbDdSVnNhZnpJVSi7\\"}',
      '{\\"profile_session_id\\":\\"aaaaaaaa-aaaa-aaaa-aaaa\\",\\"updatedVisitorData\\":\\"aaaaaaaaaaaaaaaaaaaa\\"}',
    ],
    [
      '{"encryptedWebid":"1%7ClclIEtHckapIblx","deviceExperimentId":"ChxOelV3TWpNd01U","appInstallData":"CJb5abc123XYZ456"}',
      '{"encryptedWebid":"a%7Caaaaaaaaaaaaaaa","deviceExperimentId":"aaaaaaaaaaaaaaaa","appInstallData":"aaaaaaaaaaaaaaaa"}',
    ],
    [
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F&amp;h=AUBB-6NiyzQYJgOP_MOD1DnHU-XfxaGAtr&h=720',
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F&amp;h=aaaa-aaaaaaaaaaa_aaaaaaaa-aaaaaaaa&h=720',
    ],
    [
      '?refresh_token=21f03a7f&l=20260501225318E66A4D5B7E09ADD9E514&key=595c4di8m508sse8osl5pjc&i=1fb6f318&v=6708',
      '?refresh_token=aaaaaaaa&l=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&key=aaaaaaaaaaaaaaaaaaaaaaa&i=aaaaaaaa&v=6708',
    ],
    [
      '?token=Secret01&X-Bogus=DFSz1&_signature=_02B4&verifyFp=verify_1&s_v_web_id=verify_2&sp=Eg1&l=en&key=name&i=7',
      '?token=aaaaaaaa&X-Bogus=aaaaa&_signature=_aaaa&verifyFp=aaaaaa_a&s_v_web_id=aaaaaa_a&sp=Eg1&l=en&key=name&i=7',
    ],
    [
      'Authorization: Bearer eyJhbGciOiJI.eyJz-1\nCookie: sid=abc1; b=XY\n{"headers":{"cookie":["sid=AbC1; b=2"]}}',
      'Authorization: Bearer aaaaaaaaaaaa.aaaa-a\nCookie: sid=aaaa; b=aa\n{"headers":{"cookie":["sid=aaaa; b=a"]}}',
    ],
    [
      '{"token":"4qmFsgIuEhpWTFVVU01P","nextPageToken":"4qmFsgIuEhpWTFVVU01P","image_signature":"d8b3474f5c83be27d058"}',
      '{"token":"4qmFsgIuEhpWTFVVU01P","nextPageToken":"4qmFsgIuEhpWTFVVU01P","image_signature":"d8b3474f5c83be27d058"}',
    ],
    [
      '{"authorName":"Secretary of 16 tokens","cookieText":"cookies_of_the_session","signatureCipher":"s=1234567890123456"}',
      '{"authorName":"Secretary of 16 tokens","cookieText":"cookies_of_the_session","signatureCipher":"s=1234567890123456"}',
    ],
    ['lsd=AVsecret&jazoest=21234&doc_id=1', 'lsd=aaaaaaaa&jazoest=99999&doc_id=1'],
  ])('reads the secrets of %s', (body, scrubbed) => {
    expect(bodyOf(body)).toBe(scrubbed);
  });

  test('has no visitor ID in any list of a response', () => {
    const body = {
      responseContext: {
        visitorData: 'CgtTZWNyZXQ%3D',
        params: [
          { key: 'visitor_data', value: 'CgtTZWNyZXQ%3D' },
          { key: 'logged_in', value: '0' },
        ],
      },
      continuationCommand: { token: '4qmFsgIuEhpWTFVVU01PUX' },
    };
    expect(bodyOf(body)).toEqual({
      responseContext: {
        visitorData: 'aaaaaaaaaaa%3D',
        params: [
          { key: 'visitor_data', value: 'aaaaaaaaaaa%3D' },
          { key: 'logged_in', value: '0' },
        ],
      },
      continuationCommand: { token: '4qmFsgIuEhpWTFVVU01PUX' },
    });
  });

  test.each([
    ['{"x":"93.184.216.34"}', '{"x":"192.0.2.1"}'],
    ['{"x":"2a01:4f8::7"}', '{"x":"2001:db8::1"}'],
    ['http://93.184.216.34:80/', 'http://192.0.2.1:80/'],
    [
      'Chrome/128.0.64.93 at 10.0.0.1, 192.168.20.30 and 203.0.113.77',
      'Chrome/128.0.64.93 at 10.0.0.1, 192.168.20.30 and 203.0.113.77',
    ],
    ['1.2.3.4 5.128.64.9.1 12:34:56 a::before 2001:db8::7', '1.2.3.4 5.128.64.9.1 12:34:56 a::before 2001:db8::7'],
  ])('replaces the public addresses in %s', (body, scrubbed) => {
    expect(bodyOf(body)).toBe(scrubbed);
  });

  test('has none of the given addresses of the machine, in no form', () => {
    const own = ['192.168.20.30', 'fd00::a:7'];
    expect(bodyOf('x192.168.20.30 fd00::a:7 fd00%3A%3Aa%3A7 fd00%253A%253Aa%253A7', own)).toBe(
      'x192.0.2.1 2001:db8::1 2001%3Adb8%3A%3A1 2001%253Adb8%253A%253A1',
    );
  });

  test('takes linear time', () => {
    const size = 2 ** 19;
    const hostile = ['\\', '"', '=', '&sig=', '":"', '/ip/', '2a01:', '1.1.', '%26', '"value":', '"lsd":', '(', 'a'];
    for (const part of hostile) {
      const elapsed = startCpuClock();
      bodyOf(part.repeat(size / part.length));
      expect(elapsed(), part).toBeLessThan(3_000);
    }
  });
});

const recordings = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].flatMap((platform) =>
  [...readRecordings(platform)].map(([name, text]) => ({ name: `${platform}/${name}`, text })),
);

describe.skipIf(recordings.length === 0)('a scrubbed recording', () => {
  const patterns = [
    /[?&;](?:sig|lsig|signature|oh|_nc_ohc|_nc_gid|x-signature|sec|hmac|policy|dmV1st|spc|bui|ei)=([^&"'\\\s<>;#%]{8,})/g,
    /"(?:visitorData|csrf_token|csrfToken|machine_id|device_id|unauth_id|wid|odinId)":"([^"\\]{8,})"/g,
    /"LSD",\[\],\{"token":"([^"]{6,})"/g,
    /"(?:updatedVisitorData|profile_session_id|clientID|secret|encrypted)":"([^"\\]{8,})"/g,
    /"(?:LSD|dtsg)":\{"token":"([^"\\]{6,})"/g,
    /[?&;](?:token|access_token|refresh_token|verifyFp|X-Bogus|_signature)=([^&"'\\\s<>;#%]{8,})/g,
  ];

  test('contains none of its secrets, and has the same structure', { tags: ['long'] }, () => {
    let secrets = 0;
    for (const { name, text } of recordings) {
      const scrubbed = String(bodyOf(text));
      const plain = text
        .replaceAll('\\u0026', '&')
        .replaceAll('\\/', '/')
        .replaceAll('\\"', '"')
        .replaceAll('&amp;', '&');
      const distinct = new Set(
        patterns.flatMap((pattern) => [...plain.matchAll(pattern)].flatMap(([, secret = '']) => words(secret))),
      );
      secrets += distinct.size;
      const found = [...distinct].filter((secret) => secret !== mask(secret) && scrubbed.includes(secret));
      // Most texts contain none, not even within a longer word.
      const remaining = new Set(found.length === 0 ? [] : words(scrubbed));
      expect(
        found.filter((secret) => remaining.has(secret)),
        name,
      ).toEqual([]);
      if (/^\s*[[{]/.test(text)) expect(haveSameShape(JSON.parse(scrubbed), JSON.parse(text)), name).toBe(true);
    }
    expect(secrets).toBeGreaterThan(1_000);
  });
});

/** Returns the parts of a text that are long enough for a secret. */
function words(text: string): readonly string[] {
  return text.split(/[^\w-]+/).filter((word) => word.length >= 8);
}

/** Whether two values of JSON have the same members in the same order, with values of the same types. */
function haveSameShape(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null) return typeof one === typeof other;
  if (typeof other !== 'object' || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const [own, others] = [Object.entries(one), Object.entries(other)];
  return (
    own.length === others.length &&
    own.every(([name, value], at) => name === others[at]?.[0] && haveSameShape(value, others[at]?.[1]))
  );
}
