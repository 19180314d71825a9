import { gatherLicences } from './gather-licences.ts';

// The licences of what is installed, to the standard output: deploy/Dockerfile puts them into the image.
process.stdout.write(await gatherLicences(new URL('../../', import.meta.url)));
