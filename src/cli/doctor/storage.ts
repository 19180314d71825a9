import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectDataDirectory } from '../../data-directory.ts';
import { openStorage } from '../../storage/open.ts';
import { type Check, findingsOf, messageOf } from './finding.ts';

const { fine, wrong } = findingsOf('storage');

/** Whether finished files can be stored. */
export const checkStorage: Check = async ({ STORAGE_URL, DATA_DIR }) => {
  const place = STORAGE_URL ?? { folder: join((await inspectDataDirectory(DATA_DIR)).path, 'files') };
  const name = 'folder' in place ? place.folder : `s3://${place.bucket}/${place.prefix}`;
  // Opening a folder makes it; looking changes nothing.
  if ('folder' in place && (await stat(place.folder).catch(() => undefined)) === undefined) {
    return [fine(`${name}; it is made at the first start`)];
  }
  try {
    const storage = await openStorage(place);
    try {
      await storage.check();
      return [fine(`${name} takes files`)];
    } finally {
      await storage.close();
    }
  } catch (error) {
    const mend =
      'folder' in place
        ? 'See that the folder is writable for the user that the service runs as.'
        : 'See that the bucket is there and AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and ' +
          'AWS_ENDPOINT_URL_S3 are right.';
    return [wrong(`${name}: ${messageOf(error)}`, mend)];
  }
};
