-- The model of every domain, as the records that a document describes.

create table records (
  domain_id bigint not null,
  uuid uuid not null,
  type text collate "C" not null,
  key text collate "C" not null,
  body jsonb not null,
  digest text collate "C" not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (domain_id, uuid),
  -- Deferrable, so that one statement can exchange two keys.
  constraint records_key unique (domain_id, type, key) deferrable initially immediate
);

create table record_references (
  domain_id bigint not null,
  from_uuid uuid not null,
  to_uuid uuid not null,
  -- The referring record is part of the other one and is deleted with it.
  owner boolean not null,
  primary key (domain_id, from_uuid, to_uuid),
  foreign key (domain_id, from_uuid) references records (domain_id, uuid) deferrable initially deferred,
  foreign key (domain_id, to_uuid) references records (domain_id, uuid) deferrable initially deferred
);
create index record_references_to on record_references (domain_id, to_uuid);

create table record_secrets (
  domain_id bigint not null,
  record_uuid uuid not null,
  -- For signing in: an argon2id PHC string, or a keyed hash.
  hash text not null,
  -- For "same or different": HMAC under a key that is not in the database, salted with the record's first key.
  fingerprint text not null,
  salt text not null,
  primary key (domain_id, record_uuid),
  foreign key (domain_id, record_uuid) references records (domain_id, uuid) deferrable initially deferred
);

-- One row for each record of a managed type that somebody else than an apply has written since the last apply.
create table record_drift (
  domain_id bigint not null,
  type text collate "C" not null,
  key text collate "C" not null,
  -- The body as the last apply left it; null where there was no record.
  base jsonb,
  actor text not null,
  changed_at timestamptz not null,
  -- Who changed each field last: name → {actor, at}. A record may have been changed by several people, and a plan names
  -- the one of each field.
  fields jsonb not null default '{}',
  primary key (domain_id, type, key)
);

grant select, insert, update, delete on records, record_references, record_secrets, record_drift to holdfast_domain;

alter table records enable row level security;
alter table record_references enable row level security;
alter table record_secrets enable row level security;
alter table record_drift enable row level security;

create policy own_domain on records to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on record_references to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on record_secrets to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on record_drift to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
