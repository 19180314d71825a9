-- The request that started the job, and the trace that it belongs to (a W3C traceparent). Null for jobs of earlier
-- versions, and `trace_context` without tracing.
alter table render_jobs add column request_id text;
alter table render_jobs add column trace_context text;
