-- Identities of other providers can be looked at, refused with a reason, and ended.

alter table external_identities
  -- Null: refused.
  alter column account_uuid drop not null,
  -- Another one whenever the identity becomes another account: what came in by the old one does not count any more.
  add column uuid uuid not null default gen_random_uuid(),
  -- By which it came in last.
  add column method_uuid uuid,
  -- As last told, and whether the provider has verified that.
  add column email text,
  add column email_verified boolean not null default false,
  -- The last verified one in its one spelling: what is compared with users of the model.
  add column address text collate "C",
  add column last_seen_at timestamptz,
  -- Why it was refused the last time, as a word and for people to read; null where it was let in.
  add column refusal text,
  add column refusal_detail text,
  -- When an administrator unbound it: what was issued before counts no more.
  add column unbound_at timestamptz,
  -- The grants by claims that its last sign-in in a browser fits.
  add column fits text[] not null default '{}';
update external_identities set last_seen_at = created_at;
alter table external_identities alter column last_seen_at set not null;

create unique index external_identities_uuid on external_identities (domain_id, uuid);
create index external_identities_seen on external_identities (domain_id, created_at, uuid);
create index external_identities_address on external_identities (domain_id, address) where address is not null;
create index external_identities_refused on external_identities (domain_id, last_seen_at) where account_uuid is null;

-- Until now a record of the model inherited the identities of a person with its address, also those of a stranger. Such
-- a tie is made anew at the next sign-in, where the provider is trusted for the address; and everybody who came in by
-- another provider signs in again.
delete from external_identities i using records r
  where r.domain_id = i.domain_id and r.uuid = i.account_uuid;
delete from artifacts a using authentication_methods m
  where m.domain_id = a.domain_id and m.uuid = a.method_uuid and m.kind = 'openid-delegated';
