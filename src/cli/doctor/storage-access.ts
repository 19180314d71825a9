import { nameOfLocation, openStorage } from '../../storage/open-storage.ts';
import { type Check, findingsOf, messageOf } from './finding.ts';
import { placeExists, storagePlace } from './open-service-data.ts';

const { fine, wrong } = findingsOf('storage');

/** Whether finished files can be stored. */
export const checkStorage: Check = async (config) => {
  const place = await storagePlace(config);
  const name = nameOfLocation(place);
  if (!(await placeExists(place))) return [fine(`${name}; it is made at the first start`)];
  try {
    const storage = await openStorage(place);
    try {
      await storage.check();
      return [fine(`${name} takes files`)];
    } finally {
      await storage.close();
    }
  } catch (error) {
    const remedy =
      'folder' in place
        ? 'See that the folder is writable for the user that the service runs as.'
        : 'See that the bucket is there and AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and ' +
          'AWS_ENDPOINT_URL_S3 are right.';
    return [wrong(`${name}: ${messageOf(error)}`, remedy)];
  }
};
