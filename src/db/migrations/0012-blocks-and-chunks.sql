-- Datapoints at rest. What arrived (0010-arrivals.sql) is gathered in blocks of neighbouring series, and leaves these as
-- chunks: one series, one day or month at most, times and values packed.

-- Segments, as in datapoints_hot, of up to 256 series whose numbers are neighbours (`series_id >> 8`), over a longer time
-- with each level: some rows of one level become one of the next.
create table datapoint_blocks (
  domain_id bigint not null,
  block bigint not null,
  shard_key bigint not null,
  -- The highest of its points, which have their own inside.
  generation bigint not null,
  t0 bigint not null,
  t1 bigint not null,
  -- When the first of its points were put into a block, in microseconds since 1970.
  arrived_at bigint not null,
  level integer not null,
  count integer not null,
  series bytea not null,
  points bytea not null,
  primary key (domain_id, block, level, generation, t0, shard_key)
) with (toast_tuple_target = 8160);
create index datapoint_blocks_by_generation on datapoint_blocks (domain_id, generation);
alter table datapoint_blocks alter column series set storage external, alter column points set storage external;

-- Packed points (src/datapoints/chunks). A chunk ends with its day (UTC) or, where days have few points, with its month, so
-- a range is found by t0 alone. Partitions are made on demand, one for a month, or for more where it is years ago: their
-- number stays small whatever times are sent (src/datapoints/chunks/chunk-partition.ts).
create table datapoint_chunks (
  domain_id bigint not null,
  series_id bigint not null,
  shard_key bigint not null,
  t0 bigint not null,
  t1 bigint not null,
  -- The highest of its points.
  generation bigint not null,
  count integer not null,
  -- 0: it ends with its day; 1: it ends with its month.
  span smallint not null default 0,
  -- What its points come to, as a whole or by the hour (src/datapoints/chunks/summaries.ts).
  summary bytea not null,
  -- The last of its points in the clear: what most questions are about needs no unpacking. All three are null
  -- where that is a long text.
  last_generation bigint not null,
  last_float8 double precision,
  last_whole bigint,
  last_text text,
  points bytea not null,
  primary key (domain_id, series_id, t0, generation, shard_key)
) partition by range (t0);
create index datapoint_chunks_by_end on datapoint_chunks (domain_id, series_id, t1);
-- Those that may reach into a range from days before: none where a day has many points.
create index datapoint_chunks_spanning on datapoint_chunks (domain_id, series_id, t0) where span = 1;
-- Those that are to be joined when their day is over: small ones by the numbers of src/datapoints/chunks/pack-series.ts.
create index datapoint_chunks_unjoined on datapoint_chunks (domain_id, series_id, t0)
  where span = 0 and count < 600 and octet_length(points) < 32768;
-- Chunks of which flushes: they are written in about this order, so this costs next to nothing.
create index datapoint_chunks_by_generation on datapoint_chunks
  using brin (domain_id, generation) with (pages_per_range = 16, autosummarize = on);
-- They are packed already.
alter table datapoint_chunks alter column points set storage external;
alter table datapoint_chunks alter column summary set storage external;

grant select, insert, update, delete on datapoint_blocks, datapoint_chunks to holdfast_domain;

alter table datapoint_blocks enable row level security;
alter table datapoint_chunks enable row level security;

create policy own_domain on datapoint_blocks to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on datapoint_chunks to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
