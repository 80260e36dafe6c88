-- Datapoints. They arrive in append-only tables without any index, one pair for each server process that writes, and are
-- folded into chunks every second: one series, one day at most, times and values packed. Readers merge both.

create sequence series_ids as bigint;

-- One characteristic of one service of one component of one system, as one number.
create table series (
  domain_id bigint not null,
  id bigint not null,
  system_uuid uuid not null,
  component_uuid uuid not null,
  service_uuid uuid not null,
  characteristic_uuid uuid not null,
  -- How values are stored. Another dataType of the characteristic that is stored otherwise begins another series.
  value_kind text not null check (value_kind in ('float', 'integer', 'boolean', 'text')),
  created_at timestamptz not null,
  primary key (domain_id, id),
  unique (domain_id, component_uuid, service_uuid, characteristic_uuid, system_uuid, value_kind)
);
create index series_of_characteristic on series (domain_id, characteristic_uuid);
create index series_of_service on series (domain_id, service_uuid);
create index series_of_system on series (domain_id, system_uuid);

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

-- Without a key, an index and a domain: each of them would cost as much as the row. Order within a flush is position.
create table datapoints_hot (
  buffer integer not null,
  position integer not null,
  series_id bigint not null,
  -- Microseconds since 1970.
  at bigint not null,
  generation bigint not null,
  float8 double precision,
  whole bigint,
  text text
) partition by list (buffer);

-- Packed points (src/datapoints/chunks). A chunk ends with its day (UTC) or, where days have few points, with its month, so
-- a range is found by t0 alone. Partitions are made on demand, one for a month, or for more where it is years ago: their
-- number stays small whatever times are sent (src/datapoints/chunks/chunk-partition.ts).
create table datapoint_chunks (
  domain_id bigint not null,
  series_id bigint not null,
  t0 bigint not null,
  t1 bigint not null,
  -- The highest of its points.
  generation bigint not null,
  count integer not null,
  -- 0: it ends with its day; 1: it ends with its month.
  span smallint not null default 0,
  -- What its points come to, as a whole or by the hour (src/datapoints/chunks/summaries.ts).
  summary bytea not null,
  -- The last of its points as in datapoints_hot: what most questions are about needs no unpacking. All three are null
  -- where that is a long text.
  last_generation bigint not null,
  last_float8 double precision,
  last_whole bigint,
  last_text text,
  points bytea not null,
  primary key (domain_id, series_id, t0, generation)
) partition by range (t0);
create index datapoint_chunks_by_end on datapoint_chunks (domain_id, series_id, t1);
-- Those that may reach into a range from days before: none where a day has many points.
create index datapoint_chunks_spanning on datapoint_chunks (domain_id, series_id, t0) where span = 1;
-- Those that are to be joined when their day is over.
create index datapoint_chunks_unjoined on datapoint_chunks (domain_id, series_id, t0) where span = 0 and count < 600;
-- Chunks of which flushes: they are written in about this order, so this costs next to nothing.
create index datapoint_chunks_by_generation on datapoint_chunks
  using brin (domain_id, generation) with (pages_per_range = 16, autosummarize = on);
-- They are packed already.
alter table datapoint_chunks alter column points set storage external;
alter table datapoint_chunks alter column summary set storage external;

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

grant select, insert, update, delete on series, datapoint_chunks, idempotency_keys to holdfast_domain;
grant select on datapoints_hot to holdfast_domain;
grant usage on sequence series_ids to holdfast_domain;

alter table series enable row level security;
alter table datapoints_hot enable row level security;
alter table datapoint_chunks enable row level security;
alter table idempotency_keys enable row level security;

create policy own_domain on series to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on datapoint_chunks to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on idempotency_keys to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
-- Looked up once for each row that passes all other conditions: those name the series.
create policy own_domain on datapoints_hot for select to holdfast_domain
  using (exists (
    select from series s
    where s.domain_id = (select current_setting('holdfast.domain_id')::bigint) and s.id = datapoints_hot.series_id));
