import { keptDays } from '../accounts/visitor-credits.ts';
import type { Config } from '../config.ts';
import type { About } from '../contract/about.ts';
import { jobLimits } from '../contract/job.ts';
import { RESULT_TTL_MS } from '../extraction/cache/time-to-live.ts';
import { HEALING_LIFETIME_MS } from '../extraction/response/renderable-items.ts';
import { countedHours } from '../link-healing/replacement-counts.ts';
import { MARK_LIFETIME_MS } from '../media-health/item-marks.ts';
import { UNREAD_LIFETIME_MS } from '../recording/unread-responses.ts';
import { countedMs } from '../render/jobs/visitor-limits.ts';
import { DELIVERY_TIME_MS } from '../render/webhooks/retry-schedule.ts';
import { describeRetention } from '../web/about/retention.ts';

const HOUR_MS = 3_600_000;

/** Returns the response of `GET /about`: the operator's settings, and how long this service keeps data. */
export function aboutOf(config: Config): About {
  const { OPERATOR_NAME: name, OPERATOR_CONTACT: contact, TERMS: terms = {}, DATA_REMOVAL: removal } = config;
  const retention = describeRetention({
    job: jobLimits.ttl,
    executionUrl: HEALING_LIFETIME_MS,
    webhook: DELIVERY_TIME_MS,
    result: config.ANSWER_CACHE === 0 ? 0 : RESULT_TTL_MS,
    unread: config.KEEP_UNREAD === 0 ? 0 : UNREAD_LIFETIME_MS,
    linkCounts: countedHours * HOUR_MS,
    refusedMedia: MARK_LIFETIME_MS,
    visitorStarts: config.WEB_KEY === undefined ? 0 : countedMs,
    visitorCredits: keptDays * 24 * HOUR_MS,
    auditLog: config.AUDIT_RETENTION * 24 * HOUR_MS,
    loggedAddresses: config.LOG_ADDRESSES,
    traces: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  });
  return {
    operator: { ...(name === undefined ? {} : { name }), ...(contact === undefined ? {} : { contact }) },
    terms,
    ...(removal === undefined ? {} : { removal }),
    retention: [...retention],
  };
}
