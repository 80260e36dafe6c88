-- What persons and machine users may do. A grant is a record of the type `access`, so that it is planned, applied,
-- remembered and taken back like the rest; it is described in holdfast.yaml beside the models, not in them.

-- Until then every account could do everything that its token allowed.
-- Null where roles have always been there.
alter table domains add column roles_since timestamptz;
update domains set roles_since = now();

-- What a domain begins with: accounts that its data model names are operators. Domains that are made later get the same
-- from the platform (src/store/access-grants.ts).
insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at)
select d.id, gen_random_uuid(), 'access', line.key, line.body::jsonb,
  'sha256:' || encode(sha256(convert_to(line.body, 'UTF8')), 'hex'), now(), now()
from domains d cross join (values
  ('operator/everyone/users', '{"everyone":"users","role":"operator","withinOwnOrganization":false}'),
  ('operator/everyone/machineUsers', '{"everyone":"machineUsers","role":"operator","withinOwnOrganization":false}')
) line (key, body);

-- A machine user `operator` that a model has taken from the platform keeps what it could do.
with kept as (
  insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at)
  select r.domain_id, gen_random_uuid(), 'access', 'administrator/machineUser/operator', line.body::jsonb,
    'sha256:' || encode(sha256(convert_to(line.body, 'UTF8')), 'hex'), now(), now()
  from records r
  cross join (values ('{"machineUser":"operator","role":"administrator","withinOwnOrganization":false}')) line (body)
  where r.type = 'machineUsers' and r.key = 'operator'
  returning domain_id, uuid
)
insert into record_references (domain_id, from_uuid, to_uuid, owner)
select kept.domain_id, kept.uuid, r.uuid, true
from kept join records r on r.domain_id = kept.domain_id and r.type = 'machineUsers' and r.key = 'operator';

-- As before, and with what says which grants count: the version of the model, since grants are kept in memory as long as
-- that stays; whether the account is of the model; and which grants to identities fitted when its owner signed in.
create or replace function find_bearer(of_domain bigint, token_hash bytea, client_type text) returns jsonb
language plpgsql as $$
declare
  artifact artifacts;
  account jsonb;
  client jsonb;
  method jsonb;
  system uuid;
  version bigint;
begin
  perform set_config('holdfast.domain_id', of_domain::text, true), set_config('role', 'holdfast_domain', true),
    set_config('enable_seqscan', 'off', true);
  select * into artifact from artifacts a
    where a.domain_id = of_domain and a.kind = 'AccessToken' and a.hash between token_hash and token_hash
    order by a.hash limit 1;
  if not found then
    return null;
  end if;
  if artifact.account_uuid is not null then
    account := find_signer(of_domain, artifact.account_uuid);
    select c.system_uuid into system from system_credentials c
      where c.domain_id = of_domain and c.account_uuid between artifact.account_uuid and artifact.account_uuid
      order by c.account_uuid limit 1;
  end if;
  if artifact.client_id is not null then
    -- A client_id is the key of its record and nine characters more.
    client := find_signer(of_domain, client_type, left(artifact.client_id, -9));
  end if;
  if artifact.method_uuid is not null then
    select jsonb_build_object('kind', m.kind, 'status', m.status, 'configuration', m.configuration) into method
      from authentication_methods m
      where m.domain_id = of_domain and m.uuid between artifact.method_uuid and artifact.method_uuid
      order by m.uuid limit 1;
  end if;
  select d.model_version into version from domains d where d.id between of_domain and of_domain order by d.id limit 1;
  return jsonb_build_object(
    'scope', artifact.scope, 'expiresAt', artifact.expires_at, 'isConsumed', artifact.consumed_at is not null,
    'accountUuid', artifact.account_uuid, 'clientId', artifact.client_id, 'methodUuid', artifact.method_uuid,
    'account', account, 'client', client, 'method', method, 'systemUuid', system,
    'fits', coalesce(artifact.payload -> 'fits', '[]'), 'modelVersion', version);
end
$$;

create or replace function find_signer(of_domain bigint, of_uuid uuid) returns jsonb
language plpgsql as $$
declare
  signer jsonb;
begin
  select jsonb_build_object('uuid', r.uuid, 'type', r.type, 'key', r.key, 'body', r.body, 'isOfModel', true) into signer
    from records r where r.domain_id = of_domain and r.uuid between of_uuid and of_uuid order by r.uuid limit 1;
  if found then
    return signer;
  end if;
  select jsonb_build_object('uuid', p.uuid, 'type', p.type, 'key', p.key, 'body', p.body, 'isOfModel', false) into signer
    from platform_records p
    where p.domain_id = of_domain and p.uuid between of_uuid and of_uuid order by p.uuid limit 1;
  perform from records r
    where r.domain_id = of_domain and r.type = signer ->> 'type' and r.key between signer ->> 'key' and signer ->> 'key'
    order by r.key limit 1;
  return case when not found then signer end;
end
$$;
