import type { ManifestBounds } from './manifest-bounds.ts';
import { manifestFault } from './manifest-fault.ts';
import { decodeEntities } from './xml-entities.ts';

/** An element of an XML document. */
export interface XmlElement {
  /** Without a namespace prefix. */
  readonly name: string;
  /** By name as written. If a name is repeated, the first value counts. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly inside the element, trimmed. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  readonly texts: string[];
}

const whitespacePattern = /^\s*$/;
const tagNamePattern = /[^\s<>/="'&]{1,200}/y;
const attributePattern = /\s*([^\s<>/="'&]{1,200})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const tagEndPattern = /\s*(\/?)>/y;

/**
 * Parses the part of XML 1.0 that manifests use: elements, attributes, text and CDATA. Comments and processing
 * instructions are skipped. Document types are rejected, and so are all declared entities. Each character is examined a
 * bounded number of times, whatever the text.
 *
 * @throws MillraceError `invalid_response_data`, and no other error.
 */
export function parseXml(text: string, bounds: ManifestBounds): XmlElement {
  if (text.length > bounds.textLength) throw manifestFault(0, `the text exceeds ${bounds.textLength} characters`);
  const document: OpenElement = { name: '', attributes: new Map(), children: [], texts: [] };
  const openElements: OpenElement[] = [document];
  let elements = 0;
  let position = 0;

  const innermost = () => openElements.at(-1) ?? document;

  /** Moves past the next `closing`, and returns the text before it. */
  const readUntil = (closing: string, from: number): string => {
    const end = text.indexOf(closing, from);
    if (end < 0) throw manifestFault(position, `${closing} is missing`);
    position = end + closing.length;
    return text.slice(from, end);
  };

  const addText = (content: string) => {
    if (whitespacePattern.test(content.replace('\uFEFF', ''))) return;
    if (openElements.length === 1) throw manifestFault(position, 'text outside the root element');
    innermost().texts.push(content);
  };

  const close = () => {
    const element = openElements.pop() ?? document;
    const { name, attributes, children, texts } = element;
    innermost().children.push({ name, attributes, children, text: texts.join('').trim() });
  };

  const openElement = () => {
    elements += 1;
    if (elements > bounds.elements) throw manifestFault(position, `more than ${bounds.elements} elements`);
    if (openElements.length > bounds.depth)
      throw manifestFault(position, `elements are nested more than ${bounds.depth} levels deep`);
    if (openElements.length === 1 && document.children.length > 0)
      throw manifestFault(position, 'a second root element');
    const tag = readTag(text, position, bounds);
    openElements.push({ name: tag.name, attributes: tag.attributes, children: [], texts: [] });
    if (tag.empty) close();
    position = tag.end;
  };

  const closeElement = () => {
    const name = localName(readUntil('>', position + 2).trim());
    if (openElements.length === 1 || innermost().name !== name)
      throw manifestFault(position, 'a closing tag without a matching opening tag');
    close();
  };

  while (position < text.length) {
    const next = text.indexOf('<', position);
    const end = next < 0 ? text.length : next;
    addText(decodeEntities(text.slice(position, end), position));
    position = end;
    if (next < 0) break;
    if (text.startsWith('<!--', position)) readUntil('-->', position + 4);
    else if (text.startsWith('<![CDATA[', position)) addText(readUntil(']]>', position + 9));
    else if (text.startsWith('<?', position)) readUntil('?>', position + 2);
    else if (text.startsWith('<!', position)) throw manifestFault(position, 'declarations are not supported');
    else if (text.startsWith('</', position)) closeElement();
    else openElement();
  }

  const [root] = document.children;
  if (openElements.length > 1) throw manifestFault(text.length, 'the text ends inside an element');
  if (root === undefined) throw manifestFault(0, 'there is no root element');
  return root;
}

/** Reads the tag at an offset, and returns it with the offset of its end. */
function readTag(text: string, offset: number, bounds: Pick<ManifestBounds, 'attributes' | 'attributeLength'>) {
  const name = matchAt(tagNamePattern, text, offset + 1)?.[0];
  if (name === undefined) throw manifestFault(offset, 'the element has no name');
  const attributes = new Map<string, string>();
  let position = offset + 1 + name.length;
  for (let end = matchAt(tagEndPattern, text, position); ; end = matchAt(tagEndPattern, text, position)) {
    if (end !== null) return { name: localName(name), attributes, empty: end[1] === '/', end: tagEndPattern.lastIndex };
    const match = matchAt(attributePattern, text, position);
    const [whole, key] = match ?? [];
    if (whole === undefined || key === undefined) throw manifestFault(position, 'invalid attribute');
    if (attributes.size >= bounds.attributes)
      throw manifestFault(position, `more than ${bounds.attributes} attributes`);
    const value = match?.[2] ?? match?.[3] ?? '';
    if (value.length <= bounds.attributeLength && !attributes.has(key)) {
      attributes.set(key, decodeEntities(value, position));
    }
    position = attributePattern.lastIndex;
  }
}

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
