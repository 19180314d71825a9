import type { Tag } from './document-types.ts';

/** Groups of the operations of the render API. */
export const renderTags: readonly Tag[] = [
  { name: 'render', description: 'Render jobs' },
  { name: 'links', description: 'Links in responses' },
];

/** Descriptions of the groups that are not platforms. */
const descriptions: Readonly<Record<string, string>> = {
  openapi: 'Health, versions and documents of the service. These requests need no key and are free.',
  render:
    'Start, watch, list and cancel jobs, and manage webhooks. A job is started with its description and a render key, or ' +
    'with the execution URL of a render config and no key.',
  links: 'Links that responses contain: relayed media, finished files and their receipts. Each link is a credential.',
};

/** Returns a group with the name that reference pages show, and a description. */
export function shownTag({ name, description: title }: Tag): Tag {
  return {
    name,
    'x-displayName': title,
    description: descriptions[name] ?? `Media and metadata of ${title} (platform ${name}).`,
  };
}
