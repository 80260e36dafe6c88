-- Who may use the platform, how they sign in, and what they were given.

-- Records that no document describes (semantics, section 8): the platform's own consumer and operator, and users that a
-- delegated sign-in saw first. A record of the model with the same type and key takes their place.
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
create table external_identities (
  domain_id bigint not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- A record of the model, or one of platform_records.
  account_uuid uuid not null,
  created_at timestamptz not null,
  primary key (domain_id, issuer, subject)
);
create index external_identities_account on external_identities (domain_id, account_uuid);

-- What was given to whoever signed in: tokens, codes, sessions, consent. Found by the hash of the value that its owner
-- holds, so that these rows are of no use to whoever reads them.
create table artifacts (
  domain_id bigint not null,
  -- As oidc-provider names its models: AccessToken, RefreshToken, Session, Grant, Interaction, …
  kind text collate "C" not null,
  hash bytea not null,
  payload jsonb not null,
  -- What is revoked together.
  grant_id text collate "C",
  -- Of a session: what its tokens know it by.
  uid text collate "C",
  -- The consumer's client_id, the account and the authentication method, whose status counts on every use.
  client_id text collate "C",
  account_uuid uuid,
  method_uuid uuid,
  scope text,
  issued_at timestamptz not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (domain_id, kind, hash)
);
create index artifacts_of_grant on artifacts (domain_id, grant_id) where grant_id is not null;
create index artifacts_of_account on artifacts (domain_id, account_uuid) where account_uuid is not null;
create index artifacts_by_uid on artifacts (domain_id, uid) where uid is not null;
create index artifacts_by_expiry on artifacts (domain_id, expires_at);

-- The keys that ID tokens are signed with. A key is published before it signs and for a while after.
create table signing_keys (
  domain_id bigint not null,
  kid text collate "C" not null,
  algorithm text not null,
  public_jwk jsonb not null,
  -- The private key, sealed under the platform's key.
  private_jwk bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  signs_until timestamptz not null,
  published_until timestamptz not null,
  primary key (domain_id, kid)
);

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
  platform_records, authentication_methods, external_identities, artifacts, signing_keys, password_links
  to holdfast_domain;

alter table platform_records enable row level security;
alter table authentication_methods enable row level security;
alter table external_identities enable row level security;
alter table artifacts enable row level security;
alter table signing_keys enable row level security;
alter table password_links enable row level security;

create policy own_domain on platform_records to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on authentication_methods to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on external_identities to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on artifacts to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on signing_keys to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
create policy own_domain on password_links to holdfast_domain
  using (domain_id = (select current_setting('holdfast.domain_id')::bigint));
