-- The model of every domain. Every key begins with domain_id: it is the column that rows are distributed by when one
-- database is not enough, and the one that row level security compares (the second wall between domains).

create table domains (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  slug text not null unique,
  name text not null,
  host_names text[] not null,
  -- What the last apply managed: record type → 'managed' | 'partial'. A type that is absent was never managed.
  managed_types jsonb not null default '{}',
  -- Whether every consumer must use PKCE (RFC 7636), also those that have a secret.
  requires_pkce boolean not null default false,
  -- Raised by every write of the model, of systems, components and credentials, so that whoever keeps something of them
  -- in memory finds out by one look whether it still holds.
  model_version bigint not null default 0
);

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
  primary key (domain_id, type, key)
);

create table applies (
  domain_id bigint not null,
  uuid uuid not null,
  applied_at timestamptz not null,
  actor text not null,
  -- Where the document came from: commit, repository, ref; and which apply it rolls back.
  origin jsonb not null,
  plan_digest text not null,
  summary jsonb not null,
  scope jsonb not null,
  -- What the apply before it managed: a rollback needs it.
  managed_before jsonb not null,
  -- The transaction that made it. Transactions end in another order than they begin in, so no number drawn by them can
  -- say what is new; but a snapshot says exactly of which of them the effects were visible in it (docs/decisions/0014).
  changed_by xid8 not null default pg_current_xact_id(),
  primary key (domain_id, uuid)
);
create index applies_by_time on applies (domain_id, applied_at);
create index applies_by_change on applies (domain_id, changed_by);

-- A thousand changes to a row, as compressed JSON: they are written once, never change, and are read as a whole.
create table apply_changes (
  domain_id bigint not null,
  apply_uuid uuid not null,
  part integer not null,
  packed bytea not null,
  primary key (domain_id, apply_uuid, part)
);
-- Compressing it once more would find nothing.
alter table apply_changes alter column packed set storage external;

-- The secrets that an apply replaced or deleted, as they were stored: without them it could not be rolled back.
create table apply_secrets (
  domain_id bigint not null,
  apply_uuid uuid not null,
  type text collate "C" not null,
  key text collate "C" not null,
  hash text not null,
  fingerprint text not null,
  salt text not null,
  primary key (domain_id, apply_uuid, type, key)
);

-- Work on a domain is done by this role: unlike the owner of the tables it cannot see the rows of another domain.
do $$
begin
  create role holdfast_domain nologin;
exception
  when duplicate_object or unique_violation then null;
end $$;

grant usage on schema public to holdfast_domain;
grant select, update on domains to holdfast_domain;
grant select, insert, update, delete on records, record_references, record_secrets, record_drift to holdfast_domain;
grant select, insert on applies, apply_changes, apply_secrets to holdfast_domain;
grant holdfast_domain to current_user;

alter table domains enable row level security;
alter table records enable row level security;
alter table record_references enable row level security;
alter table record_secrets enable row level security;
alter table record_drift enable row level security;
alter table applies enable row level security;
alter table apply_changes enable row level security;
alter table apply_secrets enable row level security;

create policy own_domain on domains to holdfast_domain
  using (id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on records to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on record_references to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on record_secrets to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on record_drift to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on applies to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on apply_changes to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on apply_secrets to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
