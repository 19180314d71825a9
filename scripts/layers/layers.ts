/**
 * The rooms of `src/`, from the bottom to the top. A room imports only rooms that stand before it; type-only imports
 * count. A file of `src/` itself is a room of its own.
 */
export const layers = [
  'contract',
  'waiting',
  'settings',
  'files',
  'parsing',
  'hls',
  'dash',
  'platforms',
  'renderables',
  'egress',
  'storage',
  'database',
  'sealing',
  'http',
  'accounts',
  'relay',
  'render',
  'extraction',
  'openapi',
  'metrics',
  'admin',
  'web',
  'config.ts',
  'roles',
  'service.ts',
  'process',
  'main.ts',
  'cli',
] as const;

/** Folders that rooms may consist of; imports among them form no circle. */
export const divided = [
  'src/render',
  'src/render/engine',
  'src/render/engine/media',
  'src/platforms',
  'src/extraction',
  'src/openapi',
  'src/cli',
  'src/web/page',
  'src/http',
] as const;
