-- Domains, and the role that works for them. Every key of what belongs to a domain begins with domain_id: it is the column
-- that rows are distributed by when one database is not enough, and the one that row level security compares (the second
-- wall between domains).

-- Work on a domain is done by this role: unlike the owner of the tables it cannot see the rows of another domain.
do $$
begin
  create role holdfast_domain nologin;
exception
  when duplicate_object or unique_violation then null;
end $$;
grant usage on schema public to holdfast_domain;
grant holdfast_domain to current_user;

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
  -- Whether its data is spread over shards, because it is too large for one machine (docs/decisions/0035).
  is_spread boolean not null default false,
  -- Raised by every write of the model and of retentions, where a system or component gets another status or unit, and with
  -- the end of a credential, so that whoever keeps something of them in memory finds out by one look whether it still holds.
  model_version bigint not null default 0,
  -- The version in which the model or a retention was written last, and the one in which something was deleted last that
  -- data hangs on. With systems.changed_in they say what of it does not hold any more.
  records_version bigint not null default 0,
  deletion_version bigint not null default 0
);

-- Rises with everything that can take a right away from somebody: what was looked up under another version may not hold
-- any more. A table of its own, because the domain's row is locked while an apply runs, and nobody who signs out or
-- takes a token back shall wait for that. A domain without a row has the version 0.
create table access_versions (
  domain_id bigint primary key,
  version bigint not null,
  -- How many of the rises of the version were tokens that ended, and nothing else. What is left, `version - token_ends`,
  -- is the version of the rights: it rises with every change of an account, consumer, authentication method or grant, and
  -- not when somebody signs out. Whoever raises the version alone raises both.
  token_ends bigint not null default 0
);

grant select, update on domains to holdfast_domain;
grant select, insert, update, delete on access_versions to holdfast_domain;

alter table domains enable row level security;
alter table access_versions enable row level security;

create policy own_domain on domains to holdfast_domain
  using (id = current_setting('holdfast.domain_id')::bigint);
create policy own_domain on access_versions to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
