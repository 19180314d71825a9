-- Requests to platforms for new media links. The links of a sealed URL are replaced a limited number of times a day.
create table link_replacements (
  -- The sealed URL or link: the ID of its job, for example.
  subject text not null,
  -- Hash of the item that the platform was asked for.
  item text not null,
  -- The start of the job, and the index of its input whose link had failed. Null if no input has a limit of its own.
  start text,
  input integer,
  requested_at timestamptz not null default now()
);

create index link_replacements_subject on link_replacements (subject, item);

create index link_replacements_requested on link_replacements (requested_at);
