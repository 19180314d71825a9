/** Modules that are loaded from `node_modules`: WebAssembly, and packages that only some installations load. */
export const external = [/^node:/, /^@electric-sql\/pglite/, /^@aws-sdk\//, 'pg-native', 'pino-pretty'];

/** Whether the bundles load a module from `node_modules`. */
export function isExternal(name: string): boolean {
  return external.some((pattern) => (typeof pattern === 'string' ? pattern === name : pattern.test(name)));
}
