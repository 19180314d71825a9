import fc from 'fast-check';
import type { Contract, DocumentedOperation } from '../contract.ts';
import { type JsonValues, jsonValues, type KnownMembers } from './json.ts';
import { linkTexts } from './links.ts';

/** Largest job description and largest batch, in bytes. */
const SIZE_LIMITS = [256 * 1024, 1024 * 1024];
/** A name on which nothing listens, and small files of the lab, so that few renders take long. */
const inputUrls = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('http://localhost:9/', 'https://[::1]/x.mp4') },
  { weight: 1, arbitrary: fc.constantFrom('file:///etc/passwd', 'http://', '/etc/passwd', 'http://a b/', 'x') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'https://cdn.lab.example/media/amber-2/movie-360.mp4',
      'https://cdn.lab.example/media/amber-2/sound.m4a',
      'https://cdn.lab.example/media/none.mp4',
      'https://nowhere.example/a.mp4',
    ),
  },
);

/**
 * Generates bodies of an operation: the document's example with its own ID, others that the schema allows, some with
 * one wrong member, and text that is damaged, too deep, too large or not JSON.
 *
 * @param links Execution URLs issued by the service.
 */
export function bodiesOf(
  contract: Contract,
  operation: DocumentedOperation,
  links: readonly string[],
): fc.Arbitrary<Buffer> {
  const { schema, example } = operation.requestBody?.content['application/json'] ?? { schema: {}, example: {} };
  const values = jsonValues(contract, membersWithLinks(links));
  const sound = soundTexts(schema, example, values);
  const wrong = values.wrong(schema).map(textOf);
  return fc.oneof(
    { weight: 10, arbitrary: sound.map(bytesOf) },
    { weight: 12, arbitrary: wrong.map(bytesOf) },
    { weight: 5, arbitrary: fc.oneof(sound, wrong).chain(damageText) },
    { weight: 1, arbitrary: sound.chain(resizeText) },
    { weight: 1, arbitrary: strangeBodies },
  );
}

const anyLink = linkTexts();
const labLinks = fc.constantFrom(
  'https://www.youtube.com/watch?v=lab-plain30',
  'https://www.youtube.com/@thelab',
  'https://www.instagram.com/reel/lab-reel-30/',
  'https://www.facebook.com/thelab',
  'https://www.tiktok.com/@thelab/video/7559142440960000001',
  'https://dai.ly/xlab30',
  'https://www.pinterest.com/pin/600000000000000105/',
);

function membersWithLinks(links: readonly string[]): KnownMembers {
  return {
    id: fc.uuid().map((id) => `fuzz-${id}`),
    url: fc.oneof({ weight: 4, arbitrary: inputUrls }, { weight: 1, arbitrary: anyLink }),
    link: fc.oneof({ weight: 4, arbitrary: anyLink }, { weight: 1, arbitrary: labLinks }),
    jobId: fc.constantFrom('fuzz-first', 'fuzz-failed', 'unknown'),
    waitSeconds: fc.constantFrom(0, 1),
    ext: fc.constantFrom('mp4', 'mp4', 'm4a', 'mkv', 'mp3', 'm3u8', 'zz'),
    secret: fc.constant('a secret of the webhook'),
    executionUrl: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('http://localhost:9/', ...links) }, anyLink),
    cacheId: fc.constantFrom('unknown', ...links.map((link) => link.replace(/.*\//, ''))),
  };
}

/** Generates the example with replaced IDs and the lab's shortest media, and values that the schema allows. */
function soundTexts(schema: object, example: unknown, values: JsonValues): fc.Arbitrary<string> {
  const short = textOf(example).replaceAll('/amber-30/', '/amber-2/').replaceAll('video-720', 'video-360');
  const own = fc.uuid().map((id) => short.replaceAll(/"id":"[^"]*"/g, `"id":"fuzz-${id}"`));
  return fc.oneof({ weight: 3, arbitrary: own }, { weight: 2, arbitrary: values.valid(schema).map(textOf) });
}

/**
 * Damages text that was valid JSON, or nearly: duplicate members, names of prototypes, truncation, trailing text, or
 * another encoding.
 */
function damageText(text: string): fc.Arbitrary<Buffer> {
  const truncated = fc.nat(text.length).map((length) => bytesOf(text.slice(0, length)));
  const spliced = fc
    .tuple(fc.nat(text.length), fc.uint8Array({ minLength: 1, maxLength: 4 }))
    .map(([at, bytes]) => Buffer.concat([bytesOf(text.slice(0, at)), bytes, bytesOf(text.slice(at))]));
  const begin = (members: string) => text.replace(/^\{/, () => `{${members},`);
  const changed = [
    begin('"__proto__":{"id":"x"}'),
    begin('"__proto__":null'),
    begin('"constructor":{"prototype":{"id":"x"}}'),
    begin('"id":"first"'),
    begin('"id":1e999,"id":-1e-999'),
    begin('"\\u0069d":"escaped"'),
    text.replace(/\}$/, ',"id":"last"}'),
    text.replace(/"id":"[^"]*"/, '"id":"."'),
    text.replace(/"id":"[^"]*"/, '"id":".."'),
    `${text}x`,
    `${text}\u0000`,
    `${text}${text}`,
    `${text},`,
    `\ufeff${text}`,
    `\n\t ${text} \r\n`,
    text.replaceAll('"', "'"),
    text.replaceAll(',', ',,'),
    `// comment\n${text}`,
  ].map(bytesOf);
  return fc.oneof(
    { weight: 2, arbitrary: truncated },
    { weight: 2, arbitrary: spliced },
    { weight: 4, arbitrary: fc.constantFrom(...changed, Buffer.from(text, 'utf16le')) },
  );
}

/**
 * Generates a body of exactly a limit's size, one byte less, or one more, by adding trailing spaces or a long member.
 */
function resizeText(text: string): fc.Arbitrary<Buffer> {
  const size = fc
    .tuple(fc.constantFrom(...SIZE_LIMITS), fc.constantFrom(-1, 0, 1))
    .map(([limit, more]) => limit + more);
  return fc.tuple(size, fc.boolean()).map(([bytes, asMember]) => {
    const begin = asMember ? text.replace(/\}$/, ',"x":"') : text;
    const end = asMember ? '"}' : '';
    const missing = Math.max(0, bytes - Buffer.byteLength(begin + end));
    return bytesOf(begin + (asMember ? 'x' : ' ').repeat(missing) + end);
  });
}

const strangeBodies: fc.Arbitrary<Buffer> = fc.oneof(
  fc.constantFrom('', ' ', 'null', 'true', '1', '"x"', '[]', '{}', '{', 'NaN', '1e999', 'id=1&inputs=2').map(bytesOf),
  fc.constantFrom(10, 1_000, 60_000).map((depth) => bytesOf('['.repeat(depth) + ']'.repeat(depth))),
  fc.constantFrom(10, 1_000, 30_000).map((depth) => bytesOf(`${'{"inputs":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  fc.constantFrom(1_000, 100_000).map((digits) => bytesOf(`{"ttl":${'9'.repeat(digits)}}`)),
  fc
    .constantFrom(100, 20_000)
    .map((count) => bytesOf(JSON.stringify(Array.from({ length: count }, (_, at) => `${at}`)))),
  fc.json().map(bytesOf),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}
