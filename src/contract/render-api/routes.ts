import { listJobs, readUsage, retryJob } from './account-routes.ts';
import { cancelJob, cancelSealedJob, cancelStoredJob, getJob, watchJob, watchJobEvents } from './job-routes.ts';
import { downloadFile, downloadReceipt, readReceiptKeys, relayMedia } from './link-routes.ts';
import type { linkPaths, renderPaths } from './paths.ts';
import type { Route } from './route.ts';
import { startJob, startJobs, startSealedJob, startStoredJob, storeJob } from './start-routes.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readDeliveries,
  redeliver,
  testWebhook,
} from './webhook-routes.ts';

/**
 * The render API, by operation ID, in the order of its documentation. The service registers its routes from this table,
 * and the OpenAPI document is generated from it.
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
  listJobs,
  retryJob,
  redeliver,
  listWebhooks,
  createWebhook,
  deleteWebhook,
  testWebhook,
  readUsage,
} satisfies Readonly<Record<keyof typeof renderPaths, Route>>;

/**
 * The links that responses of the extraction API and the render API contain, and the keys of receipts, by operation ID.
 */
export const linkRoutes = { relayMedia, downloadFile, downloadReceipt, readReceiptKeys } satisfies Readonly<
  Record<keyof typeof linkPaths, Route>
>;
