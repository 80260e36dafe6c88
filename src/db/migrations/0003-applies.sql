-- What was applied to the model, and what is needed to take it back.

create table applies (
  domain_id bigint not null,
  uuid uuid not null,
  -- Which apply came after which is said by the database, never by a clock: clocks step back, and those of two servers
  -- differ. An apply draws its number while it holds the lock of its domain, so the numbers are in the order of commits.
  number bigint not null,
  applied_at timestamptz not null,
  actor text not null,
  -- Where the document came from: commit, repository, ref; and which apply it rolls back.
  origin jsonb not null,
  plan_digest text not null,
  summary jsonb not null,
  scope jsonb not null,
  -- What the apply before it managed: a rollback needs it.
  managed_before jsonb not null,
  primary key (domain_id, uuid)
);
create unique index applies_by_number on applies (domain_id, number);

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

grant select, insert on applies, apply_changes, apply_secrets to holdfast_domain;

alter table applies enable row level security;
alter table apply_changes enable row level security;
alter table apply_secrets enable row level security;

create policy own_domain on applies to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on apply_changes to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on apply_secrets to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
