import {
  cancelJob,
  cancelSealedJob,
  cancelStoredJob,
  getJob,
  readDeliveries,
  watchJob,
  watchJobEvents,
} from './job-routes.ts';
import { downloadFile, relayMedia } from './link-routes.ts';
import type { linkPaths, renderPaths } from './paths.ts';
import type { Route } from './route.ts';
import { startJob, startJobs, startSealedJob, startStoredJob, storeJob } from './start-routes.ts';

/**
 * The render API, by operation id, in the order of its documentation. Routes of the service are registered from this
 * table, and the OpenAPI document is generated from it.
 */
export const renderRoutes = {
  startJob,
  startSealedJob,
  cancelSealedJob,
  storeJob,
  startStoredJob,
  cancelStoredJob,
  watchJob,
  watchJobEvents,
  getJob,
  cancelJob,
  startJobs,
  readDeliveries,
} satisfies Readonly<Record<keyof typeof renderPaths, Route>>;

/** The links in responses of the extraction API and of the render API, by operation id. */
export const linkRoutes = { relayMedia, downloadFile } satisfies Readonly<Record<keyof typeof linkPaths, Route>>;
