// Fails if an OpenAPI document of the service breaks a recommended rule of Redocly.
import { createAdminDocument } from '../src/openapi/admin-document.ts';
import { createDocuments } from '../src/openapi/documents.ts';
import { createPlatforms, defaultSettings } from '../src/platforms/index.ts';
import { lintDocument } from './tools/lint-document.ts';

const base = 'https://millrace.example';
const version = '1.0.0';
const { combined, single } = createDocuments(
  createPlatforms(defaultSettings),
  { base, api: base, render: base },
  version,
);
const documents = [
  { id: 'combined', document: combined },
  ...single,
  { id: 'admin', document: createAdminDocument(version) },
];
const faults: string[] = [];
for (const { id, document } of documents) faults.push(...(await lintDocument(id, document)));
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
