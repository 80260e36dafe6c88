-- Who may sign in beside the accounts of the model, and how people prove who they are.

-- Records that no document describes: the platform's own consumer and operator, and users that a delegated sign-in saw
-- first. A record of the model with the same type and key takes their place.
create table platform_records (
  domain_id bigint not null,
  uuid uuid not null,
  type text collate "C" not null,
  key text collate "C" not null,
  body jsonb not null,
  -- For signing in, as in record_secrets; null where only somebody else's token proves who it is.
  hash text,
  created_at timestamptz not null,
  primary key (domain_id, uuid),
  unique (domain_id, type, key)
);

-- How people may prove who they are. The internal method asks for a password.
create table authentication_methods (
  domain_id bigint not null,
  uuid uuid not null,
  kind text not null check (kind in ('internal', 'openid-delegated')),
  name text not null,
  status text not null,
  -- Of an OpenID delegated method: clientId, issuer, rules and what else is not secret.
  configuration jsonb not null,
  -- Sealed under the platform's key, which is not in the database.
  client_secret bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (domain_id, uuid)
);
create unique index authentication_methods_internal on authentication_methods (domain_id) where kind = 'internal';

-- Which account a person at another provider has here. Never found by e-mail: another provider's is another person.
-- Identities can be looked at, refused with a reason, and ended.
create table external_identities (
  domain_id bigint not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- Another one whenever the identity becomes another account: what came in by the old one does not count any more.
  uuid uuid not null default gen_random_uuid(),
  -- A record of the model, or one of platform_records; null: refused.
  account_uuid uuid,
  -- By which it came in last.
  method_uuid uuid,
  -- As last told, and whether the provider has verified that.
  email text,
  email_verified boolean not null default false,
  -- The last verified one in its one spelling: what is compared with users of the model.
  address text collate "C",
  -- Why it was refused the last time, as a word and for people to read; null where it was let in.
  refusal text,
  refusal_detail text,
  -- The grants by claims that its last sign-in in a browser fits.
  fits text[] not null default '{}',
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- When an administrator unbound it: what was issued before counts no more.
  unbound_at timestamptz,
  primary key (domain_id, issuer, subject)
);
create unique index external_identities_uuid on external_identities (domain_id, uuid);
create index external_identities_account on external_identities (domain_id, account_uuid);
create index external_identities_seen on external_identities (domain_id, created_at, uuid);
create index external_identities_address on external_identities (domain_id, address) where address is not null;
create index external_identities_refused on external_identities (domain_id, last_seen_at) where account_uuid is null;

-- One-time links by which a person sets a password: an invitation or a reset, made by an operator.
create table password_links (
  domain_id bigint not null,
  hash bytea not null,
  account_uuid uuid not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (domain_id, hash)
);

grant select, insert, update, delete on
  platform_records, authentication_methods, external_identities, password_links
  to holdfast_domain;

alter table platform_records enable row level security;
alter table authentication_methods enable row level security;
alter table external_identities enable row level security;
alter table password_links enable row level security;

create policy own_domain on platform_records to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on authentication_methods to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on external_identities to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on password_links to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
