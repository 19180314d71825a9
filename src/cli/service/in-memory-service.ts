import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { noBlocks } from '../../blocks/block-index.ts';
import type { Config } from '../../config.ts';
import type { Addresses } from '../../contract/addresses.ts';
import { openExits } from '../../egress/exits.ts';
import { FOLDER_MODE } from '../../files/folder.ts';
import { listen } from '../../http/listen.ts';
import { createBareServer } from '../../http/server.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { inMemoryKeyHistory } from '../../receipts/key-history.ts';
import { createReceiptSigner } from '../../receipts/receipt-signer.ts';
import { createInMemoryJobStore } from '../../render/in-memory/job-store.ts';
import type { CoreServices } from '../../roles/services.ts';
import type { WorkerRole } from '../../roles/worker-role.ts';
import { createSealers } from '../../sealing/sealers.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { noTracing } from '../../tracing/tracer.ts';
import { freeLedger, localKeys } from './local-accounts.ts';
import { onFirstRequest } from './on-first-request.ts';
import type { RunningService, ServiceParts } from './running-service.ts';

/**
 * Starts the parts of the service that a command needs, without a database: jobs, keys and the secret are in memory.
 * The worker starts on `ready`. If the command extracts first, the worker starts as soon as the first request has been
 * sent.
 */
export async function startInMemory(config: Config, log: Logger, parts: ServiceParts): Promise<RunningService> {
  const closers: (() => Promise<unknown>)[] = [];
  let worker: Promise<WorkerRole> | undefined;
  let url: string | undefined;
  let closed = false;

  const metrics = createMetrics();
  const secrets = [randomBytes(32).toString('base64url')];
  const signer = createReceiptSigner(secrets);
  const services: CoreServices = {
    config,
    log,
    metrics,
    tracer: noTracing,
    storage: await openStorage({ folder: join(config.DATA_DIR, 'files') }),
    sealers: createSealers(secrets),
    receipts: { signer, keys: inMemoryKeyHistory(signer) },
    keys: localKeys(config),
    ledger: freeLedger(),
    exits: onFirstRequest(openExits(config), () => {
      if (parts.extraction && parts.renders) startWorker().catch(ignore);
    }),
    store: createInMemoryJobStore(config.MAX_QUEUED_JOBS),
    blocks: noBlocks,
    addresses: () => addressesOf(url),
    own(resource) {
      closers.push(() => resource.close());
      return resource;
    },
  };
  services.own(services.storage);
  services.own(services.exits);

  async function startWorker(): Promise<WorkerRole> {
    // A request can arrive while the service closes, after `close` has already waited for the worker.
    if (closed) throw new Error('the service is closed');
    worker ??= startRole();
    return await worker;
  }

  // Loaded on demand: not every command needs both parts.
  const sources = parts.extraction
    ? (await import('../../roles/sources.ts')).openSources({ ...services, sealer: services.sealers.live })
    : undefined;
  const withSources = { ...services, ...(sources === undefined ? {} : { sources }) };

  async function startRole(): Promise<WorkerRole> {
    await mkdir(config.DATA_DIR, { recursive: true, mode: FOLDER_MODE });
    const { startWorkerRole } = await import('../../roles/worker-role.ts');
    return await startWorkerRole(withSources);
  }

  async function close(): Promise<void> {
    closed = true;
    // Aborts all running work when the command ends.
    await worker?.then((role) => role.close(AbortSignal.abort())).catch(ignore);
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) await next();
  }

  try {
    const server = services.own(createBareServer(log));
    if (sources !== undefined) {
      (await import('./local-extraction.ts')).addLocalExtraction(server, { ...services, sources });
    }
    if (parts.renders) {
      const { addRenderRoutes } = await import('../../roles/add-render-routes.ts');
      await addRenderRoutes(server, withSources);
    }
    url = await listen(server, config.HOST, config.PORT);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close, ready: async () => void (await startWorker()) };
}

function addressesOf(url: string | undefined): Addresses {
  if (url === undefined) throw new Error('the address is requested before the service listens');
  return { base: url, api: url, render: url };
}

/** Ignores an error that `ready` reports. */
function ignore(): void {
  // Nothing left to do.
}
