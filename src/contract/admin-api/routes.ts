import type { AdminRoute } from './admin-route.ts';
import { acceptAuditLog, listAuditEntries, verifyAuditLog } from './audit-routes.ts';
import { addBlock, listBlocks, removeBlock } from './block-routes.ts';
import { cancelAnyJob, getAnyJob, listAllJobs } from './job-routes.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from './key-routes.ts';
import { drainNode, listNodes, resumeNode } from './node-routes.ts';
import { downloadBackup, getAdminDocument, getUnread, listUnread } from './service-routes.ts';

/**
 * The admin API, by operation ID, in the order of its documentation. The admin port registers its routes from this
 * table, and its OpenAPI document is generated from it.
 */
export const adminRoutes = {
  createKey,
  listKeys,
  getKey,
  updateKey,
  rotateKey,
  revokeKey,
  listAuditEntries,
  verifyAuditLog,
  acceptAuditLog,
  listNodes,
  drainNode,
  resumeNode,
  listAllJobs,
  getAnyJob,
  cancelAnyJob,
  listBlocks,
  addBlock,
  removeBlock,
  downloadBackup,
  listUnread,
  getUnread,
  getAdminDocument,
} as const satisfies Readonly<Record<string, AdminRoute>>;
