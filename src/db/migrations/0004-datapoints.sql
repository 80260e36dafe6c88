-- Datapoints. They arrive in append-only tables without any index, one pair for each server process that writes. From
-- there they are gathered in blocks of neighbouring series, and leave these as chunks: one series, one day at most, times
-- and values packed. Readers merge all three (docs/decisions/0032).

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
  -- By which definition of the characteristic its points were checked: they stay under it for ever.
  definition smallint not null default 0,
  created_at timestamptz not null,
  primary key (domain_id, id),
  unique (domain_id, component_uuid, service_uuid, characteristic_uuid, system_uuid, value_kind, definition)
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

-- The same of up to 256 series whose numbers are neighbours (`series_id >> 8`), over a longer time with each level: some
-- rows of one level become one of the next.
create table datapoint_blocks (
  domain_id bigint not null,
  block bigint not null,
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
  primary key (domain_id, block, level, generation, t0)
) with (toast_tuple_target = 8160);
create index datapoint_blocks_by_generation on datapoint_blocks (domain_id, generation);
alter table datapoint_blocks alter column series set storage external, alter column points set storage external;

-- Stores one flush, in one way to the database and back, and gives its number and the versions of model and access of its
-- domains. What was checked by other versions is left out. The lock of a domain is held by all who store at once, and by
-- whoever raises its model's version alone, until the end of the transaction: so no point that was checked by an old model
-- comes after the new one. Each statement in here sees what was committed until then; `models` is read when the locks are
-- held. A buffer that another process took over has lost its name, and is not found.
create function store_flush(
  of_buffer integer,
  -- In ascending order, with the versions that their points were checked by; `any` for a sender whose rights cannot end.
  of_domains bigint[], by_models text[], by_accesses text[],
  -- Nine numbers for each segment: the place of its domain above, the columns from series_lo to count, the place of its
  -- bytes in the body, the bytes of its series and those of its points.
  segments bigint[], body bytea,
  out number bigint, out models text[], out accesses text[]
)
language plpgsql volatile as $$
declare
  of_domain bigint;
  model bigint;
  access bigint;
  are_current boolean[] := '{}';
  columns text := 'domain_id, generation, series_lo, series_hi, t0, t1, count, series, points';
begin
  models := '{}';
  accesses := '{}';
  foreach of_domain in array of_domains loop
    perform pg_advisory_xact_lock_shared(hashtextextended('model', of_domain));
  end loop;
  for place in 1 .. array_length(of_domains, 1) loop
    select d.model_version into model from domains d where d.id = of_domains[place];
    select v.version into access from access_versions v where v.domain_id = of_domains[place];
    models[place] := coalesce(model, 0);
    accesses[place] := coalesce(access, 0);
    are_current[place] := by_models[place] = models[place] and by_accesses[place] in (accesses[place], 'any');
  end loop;
  number := nextval('datapoint_generations');
  if array_length(segments, 1) = 9 then
    -- Small flushes are many, and most of what a set costs is its plan.
    if are_current[segments[1]] then
      execute format('insert into datapoints_hot_%s (%s) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', of_buffer, columns)
        using of_domains[segments[1]], number, segments[2], segments[3], segments[4], segments[5], segments[6]::integer,
          substring(body from 1 for segments[8]::integer), substring(body from segments[8]::integer + 1);
    end if;
  else
    execute format(
      'insert into datapoints_hot_%s (%s)
       select $1[p.domain], $2, p.lo, p.hi, p.t0, p.t1, p.count, substring($5 from p.at + 1 for p.series),
         substring($5 from p.at + p.series + 1 for p.points)
       from (
         select $4[i]::integer as domain, $4[i + 1] as lo, $4[i + 2] as hi, $4[i + 3] as t0, $4[i + 4] as t1,
           $4[i + 5]::integer as count, $4[i + 6]::integer as at, $4[i + 7]::integer as series, $4[i + 8]::integer as points
         from generate_series(1, coalesce(array_length($4, 1), 0), 9) i) p
       where $3[p.domain]', of_buffer, columns)
      using of_domains, number, are_current, segments, body;
  end if;
end
$$;

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
  -- The last of its points in the clear: what most questions are about needs no unpacking. All three are null
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
-- Those that are to be joined when their day is over: small ones by the numbers of src/datapoints/chunks/pack-series.ts.
create index datapoint_chunks_unjoined on datapoint_chunks (domain_id, series_id, t0)
  where span = 0 and count < 600 and octet_length(points) < 32768;
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

grant select, insert, update, delete on series, datapoint_blocks, datapoint_chunks, idempotency_keys to holdfast_domain;
grant select on datapoints_hot to holdfast_domain;
grant usage on sequence series_ids to holdfast_domain;
grant select on sequence datapoint_generations to holdfast_domain;

alter table series enable row level security;
alter table datapoints_hot enable row level security;
alter table datapoint_blocks enable row level security;
alter table datapoint_chunks enable row level security;
alter table idempotency_keys enable row level security;

create policy own_domain on series to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on datapoint_blocks to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on datapoint_chunks to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on idempotency_keys to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on datapoints_hot for select to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
