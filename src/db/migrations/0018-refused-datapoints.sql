-- Which datapoints were refused: of one series, sender, reason and day (UTC) how many, never what was in them. Counted in
-- memory and written now and then, so what a process has counted in its last seconds is lost when it is killed.
create table refused_datapoints (
  domain_id bigint not null,
  -- A digest of what it is about, so that all servers count in one row.
  uuid uuid not null,
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
  primary key (domain_id, uuid),
  foreign key (domain_id, system_uuid) references systems (domain_id, uuid) on delete cascade
);

grant select, insert, update, delete on refused_datapoints to holdfast_domain;

alter table refused_datapoints enable row level security;

create policy own_domain on refused_datapoints to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
-- As in 0012-units.sql: what belongs to no unit is outside.
create policy own_units on refused_datapoints as restrictive to holdfast_domain
  using (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0);
