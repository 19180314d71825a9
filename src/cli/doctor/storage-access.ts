import { nameOfLocation, openStorage } from '../../storage/open-storage.ts';
import { type Check, findingsOf, messageOf } from './finding.ts';
import { placeExists, storagePlace } from './open-service-data.ts';

const { fine, wrong } = findingsOf('storage');

/** Checks that finished files can be stored. */
export const checkStorage: Check = async (config) => {
  const place = await storagePlace(config);
  const name = nameOfLocation(place);
  if (!(await placeExists(place))) return [fine(`${name}; it will be created at the first start`)];
  try {
    const storage = await openStorage(place);
    try {
      await storage.check();
      return [fine(`${name} is writable`)];
    } finally {
      await storage.close();
    }
  } catch (error) {
    const remedy =
      'folder' in place
        ? 'Make sure that the user that runs the service can write to the folder.'
        : 'Make sure that the bucket exists and that AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and ' +
          'AWS_ENDPOINT_URL_S3 are correct.';
    return [wrong(`${name}: ${messageOf(error)}`, remedy)];
  }
};
