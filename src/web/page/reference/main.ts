import { configuration } from './configuration.ts';
import { type ReferenceDocument, shownDocument } from './shown-document.ts';

/** The part of Scalar's browser build that the page uses. */
declare const Scalar: { createApiReference(element: Element, configuration: object): unknown };

const element = document.getElementById('reference');
if (element === null) throw new Error('the document has no element for the reference');
showReference(element).catch((error: unknown) => {
  element.textContent = 'The API reference could not be loaded. Check your connection, and reload the page.';
  throw error;
});

async function showReference(element: HTMLElement): Promise<void> {
  const [text, guides] = await Promise.all([load('./openapi'), load(element.dataset.guides ?? '')]);
  const api: ReferenceDocument = JSON.parse(text);
  element.replaceChildren();
  Scalar.createApiReference(element, configuration(shownDocument(api, guides), location.host));
}

async function load(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return await response.text();
}
