import { App } from './app.ts';
import { html, render } from './common/html.ts';
import { applyTheme } from './common/theme.ts';
import { resumeRenders } from './downloads/renders.ts';

applyTheme();
const page = document.getElementById('page');
if (page === null) throw new Error('the document has no element for the page');
const open = page.dataset.open === 'true';
page.replaceChildren();
render(html`<${App} open=${open} />`, page);
if (open) resumeRenders();
