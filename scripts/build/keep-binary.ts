import type { Plugin } from 'rolldown';

/** The module of node-av that finds its binary from its own location. */
const loader = /[/\\]node-av[/\\]dist[/\\]lib[/\\]binding\.js$/;

/**
 * Lets a bundle of node-av load the binary from node-av's package: states the location of the loader, which is in the
 * folder of `node-av/lib`.
 */
export const keepBinary: Plugin = {
  name: 'keep-binary',
  transform: {
    filter: { id: loader },
    handler: (code) => code.replaceAll('import.meta.url', "import.meta.resolve('node-av/lib')"),
  },
};
