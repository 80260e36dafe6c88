-- A domain lies on one database node (docs/decisions/0035), so no table needs a shard key. Dropping the column drops every
-- key and reference that contains it. The keys are built again, which takes as long as the data needs.

do $$
begin
  if exists (select from domains where is_spread) then
    raise exception 'a domain of this database is spread over shards, which no release of Holdfast ever did';
  end if;
end $$;
alter table domains drop column is_spread;
drop table shard_directory;

alter table systems drop column shard_key cascade;
alter table components drop column shard_key cascade;
alter table system_credentials drop column shard_key cascade;
alter table events drop column shard_key cascade;
alter table setpoints drop column shard_key cascade;
alter table series drop column shard_key cascade;
alter table lost_series drop column shard_key cascade;
alter table refused_datapoints drop column shard_key cascade;
alter table datapoint_blocks drop column shard_key cascade;
alter table datapoint_chunks drop column shard_key cascade;
alter table system_arrivals drop column shard_key cascade;

alter table systems add primary key (domain_id, uuid);
alter table components add primary key (domain_id, uuid),
  add foreign key (domain_id, system_uuid) references systems (domain_id, uuid);
alter table system_credentials add primary key (domain_id, account_uuid),
  add foreign key (domain_id, system_uuid) references systems (domain_id, uuid);
alter table events add primary key (domain_id, uuid),
  add foreign key (domain_id, system_uuid) references systems (domain_id, uuid),
  add foreign key (domain_id, component_uuid) references components (domain_id, uuid);
alter table setpoints add primary key (domain_id, uuid),
  add foreign key (domain_id, system_uuid) references systems (domain_id, uuid),
  add foreign key (domain_id, component_uuid) references components (domain_id, uuid);
-- At most one unfinished setpoint of a series; also how a device finds what is pending.
create unique index setpoints_unfinished on setpoints (domain_id, component_uuid, service_uuid, characteristic_uuid)
  where state in ('PENDING', 'SENT', 'ACKNOWLEDGED');
alter table series add primary key (domain_id, id),
  add unique (domain_id, component_uuid, service_uuid, characteristic_uuid, system_uuid, value_kind, definition);
alter table lost_series add primary key (domain_id, series_id);
alter table refused_datapoints add primary key (domain_id, uuid),
  add foreign key (domain_id, system_uuid) references systems (domain_id, uuid) on delete cascade;
alter table datapoint_blocks add primary key (domain_id, block, level, generation, t0);
alter table datapoint_chunks add primary key (domain_id, series_id, t0, generation);
alter table system_arrivals add primary key (domain_id, system_uuid),
  add foreign key (domain_id, system_uuid) references systems (domain_id, uuid) on delete cascade;

-- Of two indexes that seem to cost the same, PostgreSQL takes an older one. So these stay younger than the keys.
drop index datapoint_chunks_by_end, datapoint_chunks_spanning, datapoint_chunks_unjoined, setpoints_unfinished_of_system;
create index datapoint_chunks_by_end on datapoint_chunks (domain_id, series_id, t1);
create index datapoint_chunks_spanning on datapoint_chunks (domain_id, series_id, t0) where span = 1;
create index datapoint_chunks_unjoined on datapoint_chunks (domain_id, series_id, t0)
  where span = 0 and count < 600 and octet_length(points) < 32768;
create index setpoints_unfinished_of_system on setpoints (domain_id, system_uuid)
  where state in ('PENDING', 'SENT', 'ACKNOWLEDGED');
