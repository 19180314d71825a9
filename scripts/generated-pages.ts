import { endpointsModule, endpointsPath } from './client-endpoints/endpoints-module.ts';
import { decisionsPage } from './decisions-page.ts';
import { errorsPage } from './errors-page.ts';
import { thirdPartyPage } from './licences/third-party-page.ts';
import { settingsPage } from './settings-page.ts';

/** The files that are made from the source, by their path below the root; `npm run docs` writes them. */
export const generatedPages: Readonly<Record<string, (root: URL) => string | Promise<string>>> = {
  'docs/decisions/README.md': decisionsPage,
  'docs/errors.md': errorsPage,
  'docs/settings.md': settingsPage,
  'docs/third-party.md': thirdPartyPage,
  [endpointsPath]: endpointsModule,
};
