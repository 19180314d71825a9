import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

const validator = fileURLToPath(new URL('../../src/mcp/schema-validator.ts', import.meta.url));

/**
 * Replaces the validator of JSON schemas that the MCP SDK contains. Millrace checks schemas itself, and the validator
 * is larger than the rest of the SDK that is used.
 */
export const replaceValidator: Plugin = {
  name: 'replace-validator',
  resolveId: {
    filter: { id: /^@modelcontextprotocol\/server\/_shims$/ },
    handler: () => validator,
  },
};
