-- What people and devices make under the model: systems, their components, what happened to them, and who may send for
-- them. None of it is part of the model: no import creates, changes or deletes it for its own sake.

create table systems (
  domain_id bigint not null,
  uuid uuid not null,
  name text collate "C" not null,
  status text not null check (status in ('ACTIVATED', 'DEACTIVATED', 'ARCHIVED')),
  -- The organization or organization unit that it belongs to.
  unit_uuid uuid,
  -- As in the body of a record: sorted by key, values in tagged form.
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (domain_id, uuid),
  foreign key (domain_id, unit_uuid) references records (domain_id, uuid)
);
create index systems_by_name on systems (domain_id, name, uuid);
create index systems_of_unit on systems (domain_id, unit_uuid) where unit_uuid is not null;

create table components (
  domain_id bigint not null,
  uuid uuid not null,
  system_uuid uuid not null,
  model_uuid uuid not null,
  name text collate "C" not null,
  status text not null check (status in ('ACTIVATED', 'DEACTIVATED', 'ARCHIVED')),
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (domain_id, uuid),
  foreign key (domain_id, system_uuid) references systems (domain_id, uuid),
  foreign key (domain_id, model_uuid) references records (domain_id, uuid)
);
create index components_by_name on components (domain_id, name, uuid);
create index components_of_system on components (domain_id, system_uuid);
create index components_of_model on components (domain_id, model_uuid);

create table events (
  domain_id bigint not null,
  uuid uuid not null,
  model_uuid uuid not null,
  system_uuid uuid not null,
  -- Null where the event is one of the system as a whole.
  component_uuid uuid,
  begins_at timestamptz not null,
  -- Of a single point in time: the same. Null while a range has not ended.
  ends_at timestamptz check (ends_at >= begins_at),
  -- In place of the message of its model.
  message text,
  metadata jsonb not null,
  actor text not null,
  created_at timestamptz not null,
  -- The transaction that made it or changed it last, as in applies.
  changed_by xid8 not null default pg_current_xact_id(),
  primary key (domain_id, uuid),
  foreign key (domain_id, model_uuid) references records (domain_id, uuid),
  foreign key (domain_id, system_uuid) references systems (domain_id, uuid),
  foreign key (domain_id, component_uuid) references components (domain_id, uuid)
);
create index events_by_time on events (domain_id, begins_at, uuid);
create index events_of_system on events (domain_id, system_uuid, begins_at, uuid);
create index events_of_component on events (domain_id, component_uuid, begins_at, uuid) where component_uuid is not null;
create index events_of_model on events (domain_id, model_uuid);
create index events_by_change on events (domain_id, changed_by);

create function note_changing_transaction() returns trigger language plpgsql as $$
begin
  new.changed_by := pg_current_xact_id();
  return new;
end
$$;
create trigger note_changing_transaction before update on events
  for each row execute function note_changing_transaction();

-- The metadata of systems, components and events that must be unique, once more: the key forbids it twice. Values can be
-- longer than a key may be, so their hash stands for them.
create table unique_metadata (
  domain_id bigint not null,
  entity text collate "C" not null,
  key text collate "C" not null,
  value_hash bytea not null,
  holder_uuid uuid not null,
  primary key (domain_id, entity, key, value_hash)
);
create index unique_metadata_of_holder on unique_metadata (domain_id, holder_uuid);

-- Accounts that stand for a device: each may touch the data of one system only, whatever its scopes say. The account is
-- one of platform_records, or the record of the model that took its place.
create table system_credentials (
  domain_id bigint not null,
  account_uuid uuid not null,
  system_uuid uuid not null,
  created_at timestamptz not null,
  primary key (domain_id, account_uuid),
  foreign key (domain_id, system_uuid) references systems (domain_id, uuid)
);
create index system_credentials_of_system on system_credentials (domain_id, system_uuid);

grant select, insert, update, delete on systems, components, events, unique_metadata, system_credentials to holdfast_domain;

alter table systems enable row level security;
alter table components enable row level security;
alter table events enable row level security;
alter table unique_metadata enable row level security;
alter table system_credentials enable row level security;

create policy own_domain on systems to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on components to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on events to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on unique_metadata to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on system_credentials to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
