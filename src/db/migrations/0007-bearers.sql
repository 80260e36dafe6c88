-- Whose access token a request brings, and what that is good for.

-- All that decides whether an access token is good, as it is at this moment, in one way to the database and back: every
-- request waits for it. A function, so that plans are kept and the role is the domain's (the second wall) without a
-- transaction of four statements around it. What is set here lasts as long as the statement that calls it.
--
-- A plan is made once for each connection, maybe while the tables are empty and each index looks as good as any other;
-- it must still be good when there are millions of rows. So each query finds one row by a range of one value, in order:
-- that is cheapest by the one index that has all of its columns, whatever is known of the table.
create function find_bearer(of_domain bigint, token_hash bytea, client_type text) returns jsonb
language plpgsql as $$
declare
  artifact artifacts;
  account jsonb;
  client jsonb;
  method jsonb;
  system uuid;
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
  return jsonb_build_object(
    'scope', artifact.scope, 'expiresAt', artifact.expires_at, 'isConsumed', artifact.consumed_at is not null,
    'accountUuid', artifact.account_uuid, 'clientId', artifact.client_id, 'methodUuid', artifact.method_uuid,
    'account', account, 'client', client, 'method', method, 'systemUuid', system);
end
$$;

-- A record that signs in, without its secret: of the model, else of the platform unless the model has one in its place.
create function find_signer(of_domain bigint, of_uuid uuid) returns jsonb
language plpgsql as $$
declare
  signer jsonb;
begin
  select jsonb_build_object('uuid', r.uuid, 'type', r.type, 'key', r.key, 'body', r.body) into signer from records r
    where r.domain_id = of_domain and r.uuid between of_uuid and of_uuid order by r.uuid limit 1;
  if found then
    return signer;
  end if;
  select jsonb_build_object('uuid', p.uuid, 'type', p.type, 'key', p.key, 'body', p.body) into signer
    from platform_records p
    where p.domain_id = of_domain and p.uuid between of_uuid and of_uuid order by p.uuid limit 1;
  perform from records r
    where r.domain_id = of_domain and r.type = signer ->> 'type' and r.key between signer ->> 'key' and signer ->> 'key'
    order by r.key limit 1;
  return case when not found then signer end;
end
$$;

create function find_signer(of_domain bigint, of_type text, of_key text) returns jsonb
language plpgsql as $$
declare
  signer jsonb;
begin
  select jsonb_build_object('uuid', r.uuid, 'type', r.type, 'key', r.key, 'body', r.body) into signer from records r
    where r.domain_id = of_domain and r.type = of_type and r.key between of_key and of_key order by r.key limit 1;
  if not found then
    select jsonb_build_object('uuid', p.uuid, 'type', p.type, 'key', p.key, 'body', p.body) into signer
      from platform_records p
      where p.domain_id = of_domain and p.type = of_type and p.key between of_key and of_key order by p.key limit 1;
  end if;
  return signer;
end
$$;
