import fc from 'fast-check';

/** Words that break programs, as written in a URL. */
const words = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e400',
  'true',
  '[]',
  '{}',
  '*',
  '%00',
  '%0d%0aX-Injected:%201',
  '%ff%fe',
  '%c0%ae%c0%ae%2f',
  '%ed%a0%80',
  '%',
  '%z',
  '%u0041',
  '+',
  '..%2f..%2fetc%2fpasswd',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '%27%20or%201=1--',
  '%24%7Bjndi:ldap://x%7D',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://127.0.0.1:9/',
  'https://[::1]/',
  'https://user:pass@x.example/',
  '%E2%80%AEgnp.exe',
  '%F0%9F%8E%89',
  ',',
  ',,,',
  '-',
  '%20%20',
];

/** Values of a query parameter, correctly or badly encoded. */
export const hostileValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent) },
  { weight: 2, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 30 }).map(everyByte) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_000 }).map((length) => 'a'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 900 }).map((length) => '%00'.repeat(length)) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 200 }).map((some) => some.join(',')) },
);

/** Names that no parameter has. */
export const strangeName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...words.filter((word) => !/[=&#?]/.test(word))),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 10 }).map(encodeURIComponent),
);

function everyByte(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
