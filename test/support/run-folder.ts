/** Returns the folder for data that all unit tests of a run share; it is deleted at the end of the run. */
export function runFolder(): string {
  const { TEST_RUN_FOLDER: folder } = process.env;
  if (folder === undefined) throw new Error('TEST_RUN_FOLDER is not set: unit-setup.ts sets it for the unit tests');
  return folder;
}
