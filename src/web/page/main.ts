import { App } from './app.ts';
import { openFiles } from './files.ts';
import { html, render } from './html.ts';
import { applyTheme } from './theme.ts';

applyTheme();
const page = document.getElementById('page');
if (page === null) throw new Error('the document has no place for the page');
const open = page.dataset.open === 'true';
page.replaceChildren();
render(html`<${App} open=${open} />`, page);
if (open) openFiles();
