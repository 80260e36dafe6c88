-- What happened to systems, and what people want their devices to set.

create table events (
  domain_id bigint not null,
  uuid uuid not null,
  shard_key bigint not null,
  model_uuid uuid not null,
  system_uuid uuid not null,
  -- Null where the event is one of the system as a whole.
  component_uuid uuid,
  unit_uuid uuid,
  begins_at timestamptz not null,
  -- Of a single point in time: the same. Null while a range has not ended.
  ends_at timestamptz check (ends_at >= begins_at),
  -- In place of the message of its model.
  message text,
  metadata jsonb not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (domain_id, uuid, shard_key),
  foreign key (domain_id, model_uuid) references records (domain_id, uuid),
  foreign key (domain_id, system_uuid, shard_key) references systems (domain_id, uuid, shard_key),
  foreign key (domain_id, component_uuid, shard_key) references components (domain_id, uuid, shard_key)
);
create index events_by_time on events (domain_id, begins_at, uuid);
create index events_of_system on events (domain_id, system_uuid, begins_at, uuid);
create index events_of_component on events (domain_id, component_uuid, begins_at, uuid) where component_uuid is not null;
create index events_of_model on events (domain_id, model_uuid);
create index events_of_unit on events (domain_id, unit_uuid, begins_at, uuid) where unit_uuid is not null;

-- What people want a device to set a characteristic to, and how far that has come (docs/decisions/0013).
create table setpoints (
  domain_id bigint not null,
  uuid uuid not null,
  shard_key bigint not null,
  system_uuid uuid not null,
  component_uuid uuid not null,
  service_uuid uuid not null,
  characteristic_uuid uuid not null,
  unit_uuid uuid,
  -- The value as JSON text, as the API shows it: equal values have equal texts.
  value text not null,
  -- One that has expired is EXPIRED from that moment on, whatever is written here.
  state text not null check (state in ('PENDING', 'SENT', 'ACKNOWLEDGED', 'APPLIED', 'REJECTED', 'EXPIRED', 'SUPERSEDED')),
  -- What the device said to the last change.
  reason text,
  actor text not null,
  -- When it was set, as whoever set it says; and when the platform heard of it.
  set_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  changed_at timestamptz not null,
  primary key (domain_id, uuid, shard_key),
  foreign key (domain_id, system_uuid, shard_key) references systems (domain_id, uuid, shard_key),
  foreign key (domain_id, component_uuid, shard_key) references components (domain_id, uuid, shard_key),
  foreign key (domain_id, service_uuid) references records (domain_id, uuid),
  foreign key (domain_id, characteristic_uuid) references records (domain_id, uuid)
);
-- Never two unfinished ones of one series; also how a device finds what is to be done.
create unique index setpoints_unfinished on setpoints (domain_id, component_uuid, service_uuid, characteristic_uuid, shard_key)
  where state in ('PENDING', 'SENT', 'ACKNOWLEDGED');
create index setpoints_unfinished_of_system on setpoints (domain_id, system_uuid)
  where state in ('PENDING', 'SENT', 'ACKNOWLEDGED');
create index setpoints_to_expire on setpoints (domain_id, expires_at)
  where state in ('PENDING', 'SENT', 'ACKNOWLEDGED') and expires_at is not null;
create index setpoints_by_time on setpoints (domain_id, created_at, uuid);
create index setpoints_of_component on setpoints (domain_id, component_uuid, created_at, uuid);
create index setpoints_of_system on setpoints (domain_id, system_uuid, created_at, uuid);
create index setpoints_of_service on setpoints (domain_id, service_uuid);
create index setpoints_of_characteristic on setpoints (domain_id, characteristic_uuid);
create index setpoints_of_unit on setpoints (domain_id, unit_uuid, created_at, uuid) where unit_uuid is not null;

grant select, insert, update, delete on events, setpoints to holdfast_domain;

alter table events enable row level security;
alter table setpoints enable row level security;

create policy own_domain on events to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0));
create policy own_domain on setpoints to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0));
