-- Grants to people whom another provider vouches for, by what it claims of them.

-- As before, and for a token that comes from a browser which grants to identities fitted when its owner signed in there:
-- their identity has them. Of two identities of one account at one provider nobody can say which it was: those of both.
create or replace function find_bearer(of_domain bigint, token_hash bytea, client_type text) returns jsonb
language plpgsql as $$
declare
  artifact artifacts;
  account jsonb;
  client jsonb;
  method jsonb;
  system uuid;
  version bigint;
  fits jsonb;
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
  fits := artifact.payload -> 'fits';
  if fits is null and method ->> 'kind' = 'openid-delegated' and artifact.account_uuid is not null then
    select jsonb_agg(subject) into fits from (
      select subject from external_identities i, unnest(i.fits) subject
        where i.domain_id = of_domain and i.account_uuid between artifact.account_uuid and artifact.account_uuid
          and i.method_uuid = artifact.method_uuid
        group by subject
        having count(*) = (select count(*) from external_identities other
          where other.domain_id = of_domain and other.account_uuid between artifact.account_uuid and artifact.account_uuid
            and other.method_uuid = artifact.method_uuid)) fitting;
  end if;
  select d.model_version into version from domains d where d.id between of_domain and of_domain order by d.id limit 1;
  return jsonb_build_object(
    'scope', artifact.scope, 'expiresAt', artifact.expires_at, 'isConsumed', artifact.consumed_at is not null,
    'accountUuid', artifact.account_uuid, 'clientId', artifact.client_id, 'methodUuid', artifact.method_uuid,
    'account', account, 'client', client, 'method', method, 'systemUuid', system,
    'fits', coalesce(fits, '[]'), 'modelVersion', version);
end
$$;
