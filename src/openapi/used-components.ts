import type { ApiDocument, Paths } from './document-types.ts';

/** Reusable parts of a document, by kind and name. */
type Components = ApiDocument['components'];

/** Returns the components that the operations of paths refer to, directly or through other components. */
export function usedComponents(paths: Paths, components: Components): Components {
  const used = new Set<string>();
  let texts = [JSON.stringify(paths)];
  while (texts.length > 0) {
    const references = texts.flatMap((text) => [...text.matchAll(/"#\/components\/(\w+\/\w+)"/g)]);
    const added = new Set(references.map(([, reference = '']) => reference)).difference(used);
    for (const reference of added) used.add(reference);
    texts = [...added].map((reference) => JSON.stringify(at(components, reference)));
  }
  const schemes = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ security }) => security.flatMap((scheme) => Object.keys(scheme)));
  for (const scheme of schemes) used.add(`securitySchemes/${scheme}`);
  const kinds = Object.entries(components).map(([kind, parts]) => {
    const own = Object.entries(parts).filter(([name]) => used.has(`${kind}/${name}`));
    return [kind, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(kinds.filter(([, parts]) => Object.keys(parts).length > 0));
}

function at(components: Components, reference: string): unknown {
  const [kind = '', name = ''] = reference.split('/');
  const part = components[kind]?.[name];
  if (part === undefined) throw new Error(`The document has no component ${reference}.`);
  return part;
}
