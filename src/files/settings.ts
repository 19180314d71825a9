import { path } from '../settings/readers.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the data folder. */
export const fileSettings = {
  DATA_DIR: setting({
    description: "Folder for the service's data. Access by other users is removed at each start.",
    default: './data',
    read: path,
  }),
};
