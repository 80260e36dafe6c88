-- What people and devices make under the model: systems, their components, and who may send for them. None of it is part
-- of the model: no import creates, changes or deletes it for its own sake.
--
-- All data of a system has one shard key, here and in every table of data: what its rows are distributed by when there is
-- more than one machine, and so a part of each unique key and of each reference from data to data. It comes last in
-- these, since most statements find their rows without it. It is the number of the domain, or in a domain that is spread
-- one of many (docs/decisions/0035, src/lib/shard-key.ts).

create table systems (
  domain_id bigint not null,
  uuid uuid not null,
  shard_key bigint not null,
  name text collate "C" not null,
  status text not null check (status in ('ACTIVATED', 'DEACTIVATED', 'ARCHIVED')),
  -- The organization or organization unit that it belongs to.
  unit_uuid uuid,
  -- Only prototypes report the events of some models (limitToPrototypes). What is a prototype is said of a component, or
  -- of a system with all of its components.
  is_prototype boolean not null default false,
  -- The version of the model in which it, or one of its components, got another status or unit last; 0: it never did.
  changed_in bigint not null default 0,
  -- As in the body of a record: sorted by key, values in tagged form.
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (domain_id, uuid, shard_key),
  foreign key (domain_id, unit_uuid) references records (domain_id, uuid)
);
create index systems_by_name on systems (domain_id, name, uuid);
create index systems_of_unit on systems (domain_id, unit_uuid) where unit_uuid is not null;
create index systems_changed on systems (domain_id, changed_in) where changed_in > 0;

-- What belongs to a system says of which unit the system is, so that one comparison tells whether somebody whose role
-- counts within some units may see it: here, and in events, setpoints, series and refused_datapoints.
create table components (
  domain_id bigint not null,
  uuid uuid not null,
  shard_key bigint not null,
  system_uuid uuid not null,
  model_uuid uuid not null,
  unit_uuid uuid,
  name text collate "C" not null,
  status text not null check (status in ('ACTIVATED', 'DEACTIVATED', 'ARCHIVED')),
  is_prototype boolean not null default false,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (domain_id, uuid, shard_key),
  foreign key (domain_id, system_uuid, shard_key) references systems (domain_id, uuid, shard_key),
  foreign key (domain_id, model_uuid) references records (domain_id, uuid)
);
create index components_by_name on components (domain_id, name, uuid);
create index components_of_system on components (domain_id, system_uuid);
create index components_of_model on components (domain_id, model_uuid);
-- A domain without units has nothing in this one, and in its like of other tables.
create index components_of_unit on components (domain_id, unit_uuid) where unit_uuid is not null;

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

-- Where the components, events and credentials of a domain that is spread lie, by their uuid: no unique key over all shards
-- could say that one exists already. A domain that is not spread has nothing in it.
create table shard_directory (
  domain_id bigint not null,
  -- The table.
  entity text collate "C" not null,
  uuid uuid not null,
  shard_key bigint not null,
  primary key (domain_id, entity, uuid)
);

-- Accounts that stand for a device: each may touch the data of one system only, whatever its scopes say. The account is
-- one of platform_records, or the record of the model that took its place.
create table system_credentials (
  domain_id bigint not null,
  account_uuid uuid not null,
  shard_key bigint not null,
  system_uuid uuid not null,
  created_at timestamptz not null,
  primary key (domain_id, account_uuid, shard_key),
  foreign key (domain_id, system_uuid, shard_key) references systems (domain_id, uuid, shard_key)
);
create index system_credentials_of_system on system_credentials (domain_id, system_uuid);

grant select, insert, update, delete on systems, components, unique_metadata, system_credentials to holdfast_domain;
grant select, insert, delete on shard_directory to holdfast_domain;

alter table systems enable row level security;
alter table components enable row level security;
alter table unique_metadata enable row level security;
alter table shard_directory enable row level security;
alter table system_credentials enable row level security;

-- Within a domain there is a wall around roles that count within an organization or unit (docs/decisions/0019).
-- `holdfast.units` is `*` for work on the whole domain, or else the uuids of the units within which somebody's role counts,
-- in one text. All uuids are of one length and have their hyphens at the same places, with a comma between them, so one is
-- never found across two others. What belongs to no unit is outside. It is one policy with that of the domain, since a
-- restrictive policy beside it becomes a permissive one on the nodes of Citus, where each would open the other.
create policy own_domain on systems to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0));
create policy own_domain on components to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint
    and (current_setting('holdfast.units') = '*' or strpos(current_setting('holdfast.units'), unit_uuid::text) > 0));
create policy own_domain on unique_metadata to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on shard_directory to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on system_credentials to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
