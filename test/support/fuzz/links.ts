import fc from 'fast-check';
import { decorations, disguised, encoded } from '../../../lab/platforms/link-decorations.ts';
import type { LinkForms } from '../../../lab/platforms/link-forms.ts';
import { forms } from '../../../lab/platforms/sample-links.ts';
import type { DocumentedParameter } from '../contract.ts';

/** A link, with what it names. */
type Sample = Pick<LinkForms, 'names'> & { readonly link: string };

const samplesByPlatform = Object.fromEntries(
  Object.entries(forms).map(([id, some]) => [
    id,
    some.flatMap(({ names, links }) => links.map((link): Sample => ({ names, link }))),
  ]),
);
const allSamples = Object.values(samplesByPlatform).flat();

/**
 * Generates texts with a link in every form that the platforms' sites have used: mostly decorated, in places of the
 * lab that exist, and of one platform.
 *
 * @param platform ID of the platform, such as `p1`; undefined for all.
 * @param example A link, ID or name that the lab has.
 */
export function linkTexts(platform?: string, example?: string): fc.Arbitrary<string> {
  const own = fc.constantFrom(...(samplesByPlatform[platform ?? ''] ?? allSamples));
  const samples = fc.oneof({ weight: 8, arbitrary: own }, { weight: 1, arbitrary: fc.constantFrom(...allSamples) });
  const known = fc.oneof(
    { weight: 1, arbitrary: samples.map(({ link }) => link) },
    {
      weight: 2,
      arbitrary: samples.map((sample) => (example === undefined ? sample.link : leadingTo(sample, example))),
    },
  );
  const decorated = fc.tuple(known, fc.array(fc.constantFrom(...decorations), { maxLength: 3 }));
  return fc.oneof(
    { weight: 12, arbitrary: decorated.map(([link, some]) => some.reduce((text, decorate) => decorate(text), link)) },
    { weight: 1, arbitrary: known.chain((link) => fc.constantFrom(...encoded(link), ...disguised(link))) },
  );
}

/** Returns the generator of links for a parameter of a platform's operation; undefined if the parameter takes none. */
export function linksFor(path: string, parameter: DocumentedParameter): fc.Arbitrary<string> | undefined {
  const { required, schema, example } = parameter;
  const [, platform] = /^\/(p\d+)\//.exec(path) ?? [];
  const isFreeText = schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined;
  if (platform === undefined || !required || !isFreeText) return undefined;
  return linkTexts(platform, example === undefined ? undefined : String(example));
}

/** Returns a link of the same form to something that the lab has. */
function leadingTo({ names, link }: Sample, example: string): string {
  const known = example.replace(/^.*[/@#]/s, '');
  const [name = ''] = names;
  const value = name.replace(/^\w+\/@?/, '');
  return value === '' ? link : link.replaceAll(new RegExp(RegExp.escape(value), 'gi'), () => known);
}
