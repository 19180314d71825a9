import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decorations } from '../../lab/platforms/link-decorations.ts';
import { forms } from '../../lab/platforms/sample-links.ts';
import { blocking } from '../blocks/testing/test-blocks.ts';
import type { ItemOrigin } from '../contract/media-origin.ts';
import { createPlatforms, defaultSettings } from '../platforms/index.ts';
import type { Endpoint, Platform } from '../platforms/platform.ts';
import { createSubjectReader, subjectsOfParameters } from '../platforms/subjects.ts';
import { fakeSite } from '../platforms/testing/fake-site.ts';
import { propertyRuns } from '../testing/property-runs.ts';

const platforms = createPlatforms(defaultSettings);
const reader = createSubjectReader(platforms);

/** An endpoint and one of its parameters that may accept links. */
interface Place {
  readonly platform: Platform;
  readonly endpoint: Endpoint;
  readonly parameter: string;
}

/** Requests without a single item or channel, by design. */
const withoutSubject = /^\/(?:search|hashtag)/;

const places: readonly Place[] = platforms.flatMap((platform) =>
  platform.endpoints.flatMap((endpoint) =>
    (endpoint.parameters.required ?? []).map((parameter) => ({ platform, endpoint, parameter })),
  ),
);

/** Sends a parameter to an endpoint, whose site never responds. Returns what the site received, or else the result. */
async function sentFor({ endpoint, parameter }: Place, text: string): Promise<string> {
  const { context, requests } = fakeSite(() => new Error('the site is not reached'));
  const { required = [], properties } = endpoint.parameters;
  const examples = required.map((name) => [name, exampleOf(properties[name])]);
  const result = await endpoint
    .extract({ ...Object.fromEntries(examples), [parameter]: text }, context)
    .catch(() => undefined);
  const sent = [...requests.map(({ url, body }) => [url.href, body]), ...(result === undefined ? [] : [result])];
  return sent.length === 0 ? '' : JSON.stringify(sent);
}

function exampleOf(schema: object | undefined): string {
  const [example] =
    schema !== undefined && 'examples' in schema && Array.isArray(schema.examples) ? schema.examples : [];
  return String(example);
}

/** Returns the subjects that a parameter names, without their platform. */
function namesIn({ platform, endpoint, parameter }: Place, text: string): readonly string[] {
  return subjectsOfParameters(platform, endpoint, { [parameter]: text }).map((subject) =>
    subject.slice(platform.id.length + 1),
  );
}

const rows = Object.entries(forms).flatMap(([id, groups]) =>
  groups.flatMap(({ names, links }) => links.map((link) => [id, link, names] as const)),
);

describe.each(rows)('of %s, the link %s', (id, link, names) => {
  const own = places.filter(({ platform, endpoint }) => platform.id === id && !withoutSubject.test(endpoint.path));

  it('names what it leads to, in every decoration that an endpoint accepts', () => {
    const found = new Set<string>();
    for (const place of own) {
      for (const decorate of decorations) {
        const text = decorate(link);
        const named = namesIn(place, text);
        expect(names, text).toEqual(expect.arrayContaining([...named]));
        for (const name of named) found.add(name);
      }
    }
    expect([...found].sort()).toEqual([...names].sort());
  });

  it('is refused by a block of anything that it names, also in links of former versions', () => {
    for (const name of names) {
      const [kind = '', value = ''] = name.split('/', 2);
      const blocks = blocking(kind === 'item' ? 'item' : 'channel', id, value, reader);
      for (const { endpoint, parameter } of own.filter((place) => namesIn(place, link).includes(name))) {
        const parameters = { [parameter]: `(${link}).` };
        const refusal = blocks.refusalOfOrigin({ platform: id, endpoint: endpoint.path, parameters, content: 0 });
        expect(refusal, endpoint.path).toMatchObject({ code: 'blocked', status: 451 });
      }
    }
  });

  it('blocks the same as what it names', () => {
    for (const name of names) {
      const [kind, value = ''] = name.split('/', 2);
      if (kind !== 'item' && kind !== 'channel') throw new Error(`${name} is no subject`);
      const found = reader.find(id, kind, link);
      expect(names.map((one) => one.replace(/^\w+\//, ''))).toContain(found);
      expect(blocking(kind, id, link, reader).refusalOf([`${id}/${kind}/${found}`])).toBeDefined();
      expect(reader.find(id, kind, value)).toBeDefined();
    }
    if (names.length === 0) expect(reader.find(id, 'item', link)).toBeUndefined();
  });
});

it('every endpoint names what its required parameters name, except those of searches and hashtags', () => {
  for (const place of places) {
    const { endpoint, parameter } = place;
    const named = namesIn(place, exampleOf(endpoint.parameters.properties[parameter]));
    const isSubject = !withoutSubject.test(endpoint.path) && parameter !== 'contentType';
    expect(named.length > 0, `${endpoint.path} ${parameter}`).toBe(isSubject);
  }
});

/** Endpoints that send IDs in an encoded form only. */
const encoding = /^\/(?:video\/comments|post\/)/;

it('whatever an endpoint reads in a text around a link is what it names', async () => {
  const noise = fc.stringMatching(/^[\s()[\]<>"'.,;!?*_~|&#:x/%見。\u200b\u2026-]{0,6}$/u);
  const links = fc.constantFrom(...rows.filter(([, , names]) => names.length > 0));
  await fc.assert(
    fc.asyncProperty(
      links,
      fc.constantFrom(...decorations),
      noise,
      noise,
      async ([id, link], decorate, before, after) => {
        const text = `${before}${decorate(link)}${after}`;
        for (const place of places.filter(({ platform: { id: own } }) => own === id)) {
          if (withoutSubject.test(place.endpoint.path)) continue;
          const named = namesIn(place, text);
          const sent = await sentFor(place, text);
          if (sent === '') continue;
          expect(named, `${place.endpoint.path} ${text}`).not.toEqual([]);
          if (id === 'p1' && encoding.test(place.endpoint.path)) continue;
          const words = plain(sent);
          expect(
            named.some((name) => words.includes(plain(name.replace(/^\w+\/@?/, '')))),
            text,
          ).toBe(true);
        }
      },
    ),
    { seed: 51, numRuns: propertyRuns(300) },
  );
});

/** Returns a text as sites compare handles. */
function plain(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString())
    .toLowerCase()
    .replaceAll('.', '');
}

it('parameters of any form, as links of other versions may have, name something or nothing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.anything(), ({ platform, endpoint, parameter }, value) => {
      const parameters = { [parameter]: value } as ItemOrigin['parameters'];
      expect(Array.isArray(reader.ofQuery({ platform: platform.id, endpoint: endpoint.path, parameters }))).toBe(true);
    }),
    { seed: 52, numRuns: propertyRuns(300) },
  );
});
