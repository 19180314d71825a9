/** The client library of Millrace, for browsers and Node: see docs/how-to/use-the-client.md. It has no dependencies. */

export type { AccountWebhook, CreatedWebhook, WebhookTestResult } from '../../../src/contract/account-webhooks.ts';
export type { Deliveries, Delivery, DeliveryAttempt, DeliveryState } from '../../../src/contract/deliveries.ts';
export type { DeliveryOutcome } from '../../../src/contract/delivery-outcome.ts';
export type { ErrorBody, ExtractedContent } from '../../../src/contract/envelope.ts';
export type { ErrorCode, FieldFault } from '../../../src/contract/errors.ts';
export type { JobDescription } from '../../../src/contract/job.ts';
export type { JobList } from '../../../src/contract/job-list.ts';
export type {
  CacheResponse,
  JobState,
  RenderCancelResponse,
  RenderOutput,
  RenderStartResponse,
  RenderStatusEvent,
} from '../../../src/contract/job-status.ts';
export type { MediaItem, MediaMetadata, RenderableMediaItem, RenderConfig } from '../../../src/contract/media-items.ts';
export type { KnownMetadata, ListItem } from '../../../src/contract/metadata.ts';
export type { NoteCode, OutputNote } from '../../../src/contract/output-notes.ts';
export type {
  PreviewInput,
  PreviewProblem,
  RenderPreview,
  StreamAction,
} from '../../../src/contract/render-preview.ts';
export { cancelledError } from '../../../src/contract/shared-constants.ts';
export type { UsageReport } from '../../../src/contract/usage.ts';
export type { Webhook } from '../../../src/contract/webhook.ts';
export type { AccountCalls, AccountWebhooks } from './account.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Collection, CollectionOptions, Collections } from './collections/collection.ts';
export type {
  CollectionDetails,
  CollectionEntry,
  CollectionEntryKind,
  CollectionPage,
  EntryContent,
} from './collections/collection-entry.ts';
export { isCollection } from './collections/entry-lists.ts';
export type { Answer, DeliveryTry, PlannedInput, PlanProblem, RenderPlan } from './deprecated-types.ts';
export {
  type CollectionFault,
  MillraceApiError,
  MillraceClientError,
  MillraceCollectionError,
  MillraceNetworkError,
  MillraceRenderError,
  MillraceWebhookError,
  type NetworkFault,
  type RequestFacts,
  type WebhookFault,
} from './errors.ts';
export type { Extraction, ExtractionResponse, ListOptions } from './extraction.ts';
export type { CallOptions, OnResponse, ResponseFacts } from './http/transport.ts';
export type { EndpointOf, ListEndpointOf, ParametersOf, PlatformId } from './parameters.ts';
export type { PlatformMethods } from './platform-methods.ts';
export { type LinkInText, linksInText, type RecognisedLink, recogniseAll, recogniseLink } from './recognise-link.ts';
export type { BatchCounts, RenderBatch } from './renders/batch/batch.ts';
export type { BatchWait } from './renders/batch/capacity-gate.ts';
export type { ItemReport, ItemState } from './renders/batch/item-report.ts';
export type { ItemTask } from './renders/batch/run-item.ts';
export type { DownloadOptions, FileHead } from './renders/download.ts';
export {
  advisedRestarts,
  type Deliver,
  type DeliveredRender,
  type Finish,
  type FinishedRender,
  type FinishOptions,
} from './renders/finish.ts';
export type { JobCalls, ListJobsOptions, StartedRender } from './renders/job-calls.ts';
export type { Cancellable, NewJob, Startable } from './renders/job-target.ts';
export type { ManyOptions, ManyRenders } from './renders/many.ts';
export type { Renders, Watchable } from './renders/renders.ts';
export type { WatchOptions } from './renders/status-stream.ts';
export type { DocumentList, Health, Utilities } from './utilities.ts';
export { type ReceivedWebhook, type VerifiedWebhook, type VerifyOptions, verifyWebhook } from './webhook.ts';
