-- Datapoints as they arrive, in append-only tables without any index, one pair for each server process that writes. From
-- there they are gathered in blocks and chunks (0012-blocks-and-chunks.sql). Readers merge all three (docs/decisions/0032).

-- One number for each flush, drawn after all of its points have arrived: of two points with the same series and time, the
-- one of the higher number was written last, whichever process wrote it.
create sequence datapoint_generations as bigint;

-- A process that writes, and the two partitions of datapoints_hot that nobody else writes to. They are never used again
-- by another one: whoever takes over from a process that is gone drops them, and the process, should it come back, finds
-- nothing to write to.
create sequence writer_slot_ids as integer;
create table writer_slots (
  slot integer primary key,
  owner uuid not null,
  -- By the clock of the database: those of two servers may differ by more than a heartbeat.
  heartbeat_at timestamptz not null,
  -- Up to this number no flush of the slot is on its way any more: all that its process drew by then is written, or
  -- never will be. The least of all slots says of which numbers nothing is to be expected.
  settled bigint not null default 0
);

-- Which times of arrival each process may give to points that come without one. The last two digits of a time of arrival in
-- microseconds are a lane, which one process has for itself, so two never give the same. What was given is never given
-- again: a process reserves the times of a lane before it uses them, and the next one to have the lane begins behind them,
-- whatever its clock says. So nothing needs to be known of who is still alive. Lane 0 is left out: those are whole tenths
-- of a millisecond, such as the clocks of clients say.
create table arrival_lanes (
  lane integer primary key check (lane between 1 and 99),
  owner uuid,
  -- Microseconds since 1970; up to here times may have been given.
  reserved bigint not null default 0
);
insert into arrival_lanes (lane) select lane from generate_series(1, 99) lane;

-- When a batch without timestamps arrived that was sent with an Idempotency-Key: sent again, it gets the same time.
create table idempotency_keys (
  domain_id bigint not null,
  actor text collate "C" not null,
  key text collate "C" not null,
  digest bytea not null,
  at bigint not null,
  created_at timestamptz not null,
  primary key (domain_id, actor, key)
);

-- Points as they arrive: each row is a segment, some thousand bytes of points of one flush and one domain, by series and
-- time (src/datapoints/segments/segment.ts). Without a key and an index, each of which would cost as much as the points.
create table datapoints_hot (
  domain_id bigint not null,
  generation bigint not null,
  -- The first and the last of its series, and its earliest and latest time in microseconds since 1970.
  series_lo bigint not null,
  series_hi bigint not null,
  t0 bigint not null,
  t1 bigint not null,
  buffer integer not null,
  count integer not null,
  -- Which series it has, with how many points.
  series bytea not null,
  points bytea not null
) partition by list (buffer);
-- They are packed already.
alter table datapoints_hot alter column series set storage external, alter column points set storage external;

-- Which datapoints were refused: of one series, sender, reason and day (UTC) how many, never what was in them. Counted in
-- memory and written now and then, so what a process has counted in its last seconds is lost when it is killed.
create table refused_datapoints (
  domain_id bigint not null,
  -- A digest of what it is about, so that all servers count in one row.
  uuid uuid not null,
  -- That of the system, or of the domain.
  shard_key bigint not null,
  code text collate "C" not null,
  -- Only where the sender may send to it.
  system_uuid uuid,
  unit_uuid uuid,
  -- As the sender named them: they need not exist.
  component_uuid uuid,
  service_uuid uuid,
  characteristic_uuid uuid,
  -- Null in the rest of a domain.
  sender text,
  -- Whether it counts what had no room on its own.
  is_rest boolean not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (domain_id, uuid, shard_key),
  foreign key (domain_id, system_uuid, shard_key) references systems (domain_id, uuid, shard_key) on delete cascade
);

grant select on datapoints_hot to holdfast_domain;
grant select on sequence datapoint_generations to holdfast_domain;
grant select, insert, update, delete on idempotency_keys, refused_datapoints to holdfast_domain;

alter table datapoints_hot enable row level security;
alter table idempotency_keys enable row level security;
alter table refused_datapoints enable row level security;

create policy own_domain on datapoints_hot for select to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on idempotency_keys to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on refused_datapoints to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0));
