-- What a subscription reads changes from (docs/decisions/0014).

-- Up to this number no flush of the slot is on its way any more: all that its process drew by then is written, or never
-- will be. The least of all slots says of which numbers nothing is to be expected.
alter table writer_slots add column settled bigint not null default 0;

-- Chunks of which flushes: they are written in about this order, so this costs next to nothing.
create index datapoint_chunks_by_generation on datapoint_chunks
  using brin (domain_id, generation) with (pages_per_range = 16, autosummarize = on);

-- The transaction that made or last changed a row. Transactions end in another order than they begin in, so no number
-- drawn by them can say what is new; but a snapshot says exactly of which of them the effects were visible in it.
alter table events add column changed_by xid8 not null default pg_current_xact_id();
alter table setpoints add column changed_by xid8 not null default pg_current_xact_id();
alter table applies add column changed_by xid8 not null default pg_current_xact_id();
create index events_by_change on events (domain_id, changed_by);
create index setpoints_by_transaction on setpoints (domain_id, changed_by);
create index applies_by_change on applies (domain_id, changed_by);

create function note_changing_transaction() returns trigger language plpgsql as $$
begin
  new.changed_by := pg_current_xact_id();
  return new;
end
$$;
create trigger note_changing_transaction before update on events
  for each row execute function note_changing_transaction();
create trigger note_changing_transaction before update on setpoints
  for each row execute function note_changing_transaction();
