import { registerWorker } from './app/register-worker.ts';
import { App } from './app.ts';
import { html, render } from './common/html.ts';
import { resumeRenders } from './downloads/renders.ts';
import { applyLanguage } from './language/language.ts';
import { openDroppedTexts } from './query/open-text.ts';
import { applyTheme } from './settings/theme.ts';

applyTheme();
await applyLanguage();
const page = document.getElementById('page');
if (page === null) throw new Error('the document has no element for the page');
const open = page.dataset.open === 'true';
page.replaceChildren();
render(html`<${App} open=${open} />`, page);
if (open) {
  resumeRenders();
  openDroppedTexts();
  registerWorker();
}
