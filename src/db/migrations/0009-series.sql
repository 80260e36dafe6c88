-- What datapoints are datapoints of, and how long they are kept.

create sequence series_ids as bigint;

-- One characteristic of one service of one component of one system, as one number. Where a domain is spread, the number
-- begins with the shard, so that it says where the points of the series are (src/lib/shard-key.ts).
create table series (
  domain_id bigint not null,
  id bigint not null,
  shard_key bigint not null,
  system_uuid uuid not null,
  component_uuid uuid not null,
  service_uuid uuid not null,
  characteristic_uuid uuid not null,
  unit_uuid uuid,
  -- How values are stored. Another dataType of the characteristic that is stored otherwise begins another series.
  value_kind text not null check (value_kind in ('float', 'integer', 'boolean', 'text')),
  -- By which definition of the characteristic its points were checked: they stay under it for ever.
  definition smallint not null default 0,
  created_at timestamptz not null,
  primary key (domain_id, id, shard_key),
  unique (domain_id, component_uuid, service_uuid, characteristic_uuid, system_uuid, value_kind, definition, shard_key)
);
create index series_of_characteristic on series (domain_id, characteristic_uuid);
create index series_of_service on series (domain_id, service_uuid);
create index series_of_system on series (domain_id, system_uuid);
create index series_of_unit on series (domain_id, unit_uuid) where unit_uuid is not null;

-- Series that were deleted with what they hang on. Points of them that were on their way at that moment may become chunks
-- later: these are found by this and swept away.
create table lost_series (
  domain_id bigint not null,
  series_id bigint not null,
  shard_key bigint not null,
  -- By the clock of the database.
  lost_at timestamptz not null,
  primary key (domain_id, series_id, shard_key)
);

-- How long datapoints are kept: settings of the platform, no part of the model (docs/decisions/0015).
create table retentions (
  domain_id bigint not null,
  -- All zeros: of all characteristics that have none of their own.
  characteristic_uuid uuid not null,
  -- ISO 8601, in whole days, weeks, months and years; null: for ever.
  keep text collate "C",
  actor text not null,
  changed_at timestamptz not null,
  primary key (domain_id, characteristic_uuid)
);

grant select, insert, update, delete on series, lost_series, retentions to holdfast_domain;
grant usage on sequence series_ids to holdfast_domain;

alter table series enable row level security;
alter table lost_series enable row level security;
alter table retentions enable row level security;

create policy own_domain on series to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0));
create policy own_domain on lost_series to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on retentions to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
