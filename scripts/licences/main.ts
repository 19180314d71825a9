import { gatherLicences } from './gather-licences.ts';

// Prints the licences of the installed packages. deploy/Dockerfile adds them to the image.
process.stdout.write(await gatherLicences(new URL('../../', import.meta.url)));
