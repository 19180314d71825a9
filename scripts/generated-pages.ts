import { endpointsModule, endpointsPath } from './client-endpoints/endpoints-module.ts';
import { shapesModule, shapesPath } from './client-shapes/shapes-module.ts';
import { collection, collectionPath } from './collection.ts';
import { decisionsPage } from './decisions-page.ts';
import { errorsPage } from './errors-page.ts';
import { thirdPartyPage } from './licences/third-party-page.ts';
import { messagesPage } from './messages/messages-page.ts';
import { metricsPage } from './metrics-page.ts';
import { quickStartsPage } from './quick-starts-page.ts';
import { settingsPage } from './settings-page.ts';
import { testModePage } from './test-mode-page.ts';
import { architectureDiagram } from './tools/architecture-diagram.ts';
import { clientReferencePage, clientReferencePath } from './tools/client-reference.ts';

/** The files that are generated from the source, by their path below the root. `npm run docs` writes them. */
export const generatedPages: Readonly<Record<string, (root: URL) => string | Promise<string>>> = {
  'docs/decisions/README.md': decisionsPage,
  'docs/images/architecture.svg': architectureDiagram,
  'docs/messages.md': messagesPage,
  'docs/quick-starts/README.md': quickStartsPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/metrics.md': metricsPage,
  'docs/reference/settings.md': settingsPage,
  'docs/reference/test-mode.md': testModePage,
  'docs/reference/third-party.md': thirdPartyPage,
  [clientReferencePath]: clientReferencePage,
  [collectionPath]: collection,
  [endpointsPath]: endpointsModule,
  [shapesPath]: shapesModule,
};
