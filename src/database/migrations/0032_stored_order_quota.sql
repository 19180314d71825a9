-- Pseudonym of the visitor of the page who received a stored order. Absent for callers with a key. What a visitor stores
-- is counted at each response; former versions store orders without it.
alter table render_cache add column visitor text;
