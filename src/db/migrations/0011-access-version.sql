-- Rises with everything that can take a right away from somebody: what was looked up under another version may not hold
-- any more. A table of its own, because the domain's row is locked while an apply runs, and nobody who signs out or
-- takes a token back shall wait for that. A domain without a row has the version 0.
create table access_versions (
  domain_id bigint primary key,
  version bigint not null
);

grant select, insert, update, delete on access_versions to holdfast_domain;

alter table access_versions enable row level security;

create policy own_domain on access_versions to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);
