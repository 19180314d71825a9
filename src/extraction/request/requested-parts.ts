import type { ResponsePart } from '../../contract/parameters.ts';
import type { EndpointParameters } from '../../platforms/platform.ts';

/** Whether the caller requested a part of the response. */
export type IsRequested = (part: ResponsePart) => boolean;

/**
 * Returns which parts of the response a `fields` parameter requests. Names without `-` select parts; if there are none,
 * all parts are selected. Names with `-` are then removed. A child includes its parent, and a parent all its children.
 * Without a value, every part is requested.
 */
export function requestedParts(fields: EndpointParameters[string]): IsRequested {
  const names = typeof fields === 'object' ? fields : [];
  const includedNames = names.filter((name) => !name.startsWith('-'));
  const excludedNames = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1));
  return (part) =>
    (includedNames.length === 0 || includedNames.some((name) => isWithin(part, name) || isWithin(name, part))) &&
    !excludedNames.some((name) => isWithin(part, name));
}

function isWithin(part: string, whole: string): boolean {
  return part === whole || part.startsWith(`${whole}.`);
}
