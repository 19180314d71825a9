import { noSubjects, type SubjectReader, type Subjects, subjectOf } from '../contract/subjects.ts';
import { linksIn } from './link-target.ts';
import * as linkReaders from './links.ts';
import type { Endpoint, EndpointParameters, Extraction, Platform } from './platform.ts';
import { subjectsOfMetadata } from './result-subjects.ts';

/** Maximum length of an ID or a handle. */
const MAX_NAME = 300;

/** Returns the subjects that the parameters of a request name, as {@link Endpoint} reads them. */
export function subjectsOfParameters(
  platform: Platform,
  endpoint: Endpoint,
  parameters: EndpointParameters,
): readonly string[] {
  return textsOfSubjects(platform, endpoint.subjects(parameters));
}

/** Returns the subjects that a result belongs to, apart from those that its request names. */
export function subjectsOfResult(
  platform: Platform,
  { metadata, subjects = noSubjects }: Pick<Extraction, 'metadata' | 'subjects'>,
): readonly string[] {
  return [
    ...new Set([...textsOfSubjects(platform, subjects), ...textsOfSubjects(platform, subjectsOfMetadata(metadata))]),
  ];
}

/** Creates a reader of subjects. */
export function createSubjectReader(platforms: readonly Platform[]): SubjectReader {
  const byId = new Map(platforms.map((platform) => [platform.id, platform]));
  const linksById = new Map(Object.values(linkReaders).map((links) => [links.id, links]));
  const endpointOf = (platform: Platform | undefined, path: string) =>
    platform?.endpoints.find((endpoint) => endpoint.path === path);
  return {
    ofQuery({ platform: id, endpoint: path, parameters }) {
      const platform = byId.get(id);
      const endpoint = endpointOf(platform, path);
      return platform === undefined || endpoint === undefined
        ? []
        : subjectsOfParameters(platform, endpoint, parameters);
    },
    find(id, kind, text) {
      const [platform, readers] = [byId.get(id), linksById.get(id)];
      const word = isWord(text) ? text : undefined;
      // A number is an ID, even if it could be a name or an ID of another kind.
      if (platform === undefined || readers === undefined || /^\d+$/.test(text)) return word;
      if (kind === 'channel' && text.startsWith('@')) return word && platform.channelName(word);
      const links = linksIn(text);
      const targets = links.length > 0 ? links.map((link) => readers.ofLink(link)) : [readers.ofId(text)];
      for (const target of targets) {
        const endpoint = target === undefined ? undefined : endpointOf(platform, `/${target.endpoint}`);
        const { items = [], channels = [] } = endpoint?.subjects(target?.parameters ?? {}) ?? noSubjects;
        const [name] = kind === 'item' ? items : channels.map(platform.channelName);
        if (name !== undefined) return name;
      }
      return kind === 'item' ? word : word && platform.channelName(word);
    },
  };
}

/** Returns subjects as blocks compare them. */
export function textsOfSubjects(
  { id: platform, channelName }: Platform,
  { items = [], channels = [] }: Subjects,
): readonly string[] {
  return [
    ...items.map((id) => subjectOf(platform, 'item', id)),
    ...channels.map((name) => subjectOf(platform, 'channel', channelName(name))),
  ];
}

/** Whether a text can be an ID or a handle: no link, and nothing that one could contain. */
function isWord(text: string): boolean {
  return text.length <= MAX_NAME && !/[\s/?&=#]/.test(text);
}
