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

-- Series that were deleted with what they hang on. Points of them that were on their way at that moment may become chunks
-- later: these are found by this and swept away.
create table lost_series (
  domain_id bigint not null,
  series_id bigint not null,
  -- By the clock of the database.
  lost_at timestamptz not null,
  primary key (domain_id, series_id)
);

grant select, insert, update, delete on retentions, lost_series to holdfast_domain;

alter table retentions enable row level security;
alter table lost_series enable row level security;

create policy own_domain on retentions to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on lost_series to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
