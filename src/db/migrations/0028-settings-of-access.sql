-- The settings of a domain about signing in. A table of its own, because an apply locks the row of the domain, and the lock of
-- access must not wait for an apply. A domain without a row has the defaults.
create table access_settings (
  domain_id bigint primary key,
  -- Whether every consumer must use PKCE (RFC 7636), also those that have a secret.
  requires_pkce boolean not null
);
grant select, insert, update on access_settings to holdfast_domain;
alter table access_settings enable row level security;
create policy own_domain on access_settings to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
insert into access_settings (domain_id, requires_pkce) select id, requires_pkce from domains where requires_pkce
  returning 1 as one;
alter table domains drop column requires_pkce;
