/** The name of an image in a registry. */
export interface ImageReference {
  /** Host of the registry, with its port if it has one. */
  readonly registry: string;
  /** Path of the image in the registry. */
  readonly repository: string;
  readonly tag: string;
}

const DOCKER_HUB = 'docker.io';

/**
 * Reads the name of an image as Docker does: a first part without a dot or a port belongs to the path, and images
 * without a path are in `library/` (https://github.com/distribution/reference).
 *
 * @throws Error if the name has no tag. A digest after the tag is ignored.
 */
export function parseImageReference(text: string): ImageReference {
  const [name = ''] = text.split('@');
  const colon = name.lastIndexOf(':');
  if (colon < name.lastIndexOf('/') || colon === -1) throw new Error(`The image ${text} has no tag. Give it one.`);
  const path = name.slice(0, colon);
  const tag = name.slice(colon + 1);
  const [first = '', ...rest] = path.split('/');
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  if (hasHost) return { registry: first, repository: rest.join('/'), tag };
  return { registry: DOCKER_HUB, repository: rest.length === 0 ? `library/${path}` : path, tag };
}
