import { renderBase } from '../../contract/render-api/paths.ts';
import type { Plan } from '../../contract/subscription-plans.ts';
import { Html, html } from '../../http/html.ts';
import type { ApiDocument, Tag } from '../document-types.ts';
import { memberList } from './fields.ts';
import { firstSteps } from './first-steps.ts';
import { prose, section } from './html.ts';
import { asJsonSchema } from './json-schema.ts';
import { operationSection, operationsOf } from './operation.ts';
import { authentication, conventions, errors, limits } from './sections.ts';
import { style } from './style.ts';
import { collectValueLists, type ValueLists } from './value-lists.ts';

/** Renders the document of the whole API as a web page without scripts or external resources. */
export function referencePage(document: ApiDocument, plans: readonly Plan[]): string {
  const lists = collectValueLists(document);
  const { info, tags, components } = document;
  const shapes = Object.entries(components.schemas ?? {}).map(([name, schema]) => shape(name, schema, lists));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API reference</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1>${info.title} API reference</h1>
<p>${prose(info.description)}</p>
<p>Version ${info.version}. Machine-readable: <a href="/openapi">OpenAPI 3.1</a>.</p>
</header>
<nav aria-label="Contents">${contents(document)}</nav>
<main id="content" tabindex="-1">
${authentication(document)}
${firstSteps(document.servers[0]?.url ?? '')}
${conventions}
${tags.map((tag) => tagSection(document, tag, lists))}
${errors(document)}
${limits(plans)}
${section('shapes', 'Schemas', html`${shapes}`)}
${section('values', 'Allowed values', html`${lists.sections}`)}
</main>
</body>
</html>
`;
  return page.text;
}

function contents(document: ApiDocument): Html {
  const operations = ({ name }: Tag) =>
    operationsOf(document, name).map(
      ({ path, method, operation }) =>
        html`<li><a href="#${operation.operationId}">${method === 'get' ? '' : `${method.toUpperCase()} `}${shortPath(path)}</a></li>`,
    );
  const groups = document.tags.map(
    (tag) => html`<li><a href="#tag-${tag.name}">${titleOf(tag)}</a><ul>${operations(tag)}</ul></li>\n`,
  );
  return html`<ul>
<li><a href="#authentication">Authentication</a></li>
<li><a href="#first-steps">Quick start</a></li>
<li><a href="#conventions">Conventions</a></li>
${groups}
<li><a href="#errors">Errors</a></li>
<li><a href="#limits">Limits</a></li>
<li><a href="#shapes">Schemas</a></li>
<li><a href="#values">Allowed values</a></li>
</ul>`;
}

/** Returns a path without the prefix that its group shares. */
function shortPath(path: string): string {
  return path.startsWith(renderBase) ? path.slice(renderBase.length) : path.replace(/^\/p\d\/v3/, '');
}

function titleOf({ name, description }: Tag): string {
  return /^p\d$/.test(name) ? `${name}: ${description}` : description;
}

function tagSection(document: ApiDocument, tag: Tag, lists: ValueLists): Html {
  const operations = operationsOf(document, tag.name).map((operation) => operationSection(document, operation, lists));
  return section(`tag-${tag.name}`, titleOf(tag), html`${operations}`);
}

function shape(name: string, schema: unknown, lists: ValueLists): Html {
  return html`
<section aria-labelledby="shape-${name}">
<h3 id="shape-${name}"><a href="#shape-${name}">${name}</a></h3>
${memberList(asJsonSchema(schema), lists)}
</section>`;
}
