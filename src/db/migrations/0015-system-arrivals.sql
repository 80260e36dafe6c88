-- What arrived of each system, so that silence is seen without looking at what was stored (docs/decisions/0043). Counted in
-- memory and written now and then: what a process has counted since is lost when it is killed.
create table system_arrivals (
  domain_id bigint not null,
  system_uuid uuid not null,
  -- That of the system, as its unit.
  shard_key bigint not null,
  unit_uuid uuid,
  -- When its last datapoint was stored, whatever time that says.
  last_at timestamptz not null,
  -- The latest quarter of an hour in which some arrived, by its number since 1970 (UTC).
  quarter bigint not null,
  -- How many datapoints were stored in that quarter, in the one before, and so on for a day.
  counts bigint[] not null,
  primary key (domain_id, system_uuid, shard_key),
  foreign key (domain_id, system_uuid, shard_key) references systems (domain_id, uuid, shard_key) on delete cascade
);
create index system_arrivals_by_time on system_arrivals (domain_id, last_at);

grant select, insert, update, delete on system_arrivals to holdfast_domain;
alter table system_arrivals enable row level security;
create policy own_domain on system_arrivals to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0));
