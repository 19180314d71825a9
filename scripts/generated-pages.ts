import { decisionsPage } from './decisions-page.ts';
import { errorsPage } from './errors-page.ts';
import { thirdPartyPage } from './licences/third-party-page.ts';
import { settingsPage } from './settings-page.ts';

/** The pages below `docs/` that are made from the source; `npm run docs` writes them. */
export const generatedPages: Readonly<Record<string, (root: URL) => string | Promise<string>>> = {
  'decisions/README.md': decisionsPage,
  'errors.md': errorsPage,
  'settings.md': settingsPage,
  'third-party.md': thirdPartyPage,
};
