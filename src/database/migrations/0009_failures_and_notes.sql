-- Why a job failed, for programs, beside the sentence in `error`. Without a code: a version before this one ended it.
alter table render_jobs add column error_code text;
alter table render_jobs add column retryable boolean;
-- The input at fault, from 0.
alter table render_jobs add column error_input integer;
-- In what the file differs from its inputs: an array. As `json`, which keeps U+0000 of a quoted name; `jsonb` refuses it.
alter table render_jobs add column notes json;
