// Preload: generators that use the JavaScript API of TypeScript get version 5, because version 7 has none.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(new URL('../../../scripts/typescript-5/package.json', import.meta.url));
const typescript = pathToFileURL(resolve('typescript')).href;

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript : specifier, context),
});
