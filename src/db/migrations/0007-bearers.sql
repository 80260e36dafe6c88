-- Whose access token a request brings, and what that is good for: the look-up of a bearer token in two halves
-- (docs/decisions/0027), the token itself, which every request waits for, and what stands behind it, which a process
-- remembers until the version of the rights is another one.
--
-- They are functions, so that plans are kept and the second wall holds without a transaction of four statements around
-- them. What is set in them lasts as long as the statement that calls them; an assignment evaluates it without a query.
-- They are stable: all that they read is of one snapshot.
-- set_config() is not handed on to other machines, so on Citus they are distributed by their first argument, and run whole
-- where the domain is (docs/decisions/0036).
--
-- A plan is made once for each connection, maybe while the tables are empty and each index looks as good as any other;
-- it must still be good when there are millions of rows. So each query finds one row by a range of one value, in order:
-- that is cheapest by the one index that has all of its columns, whatever is known of the table.

-- A record that signs in, without its secret: of the model, else of the platform unless the model has one in its place.
create function find_signer(of_domain bigint, of_uuid uuid) returns jsonb
language plpgsql stable as $$
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

create function find_signer(of_domain bigint, of_type text, of_key text) returns jsonb
language plpgsql stable as $$
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

-- An access token as it is at this moment. `standing` is everything that the meaning of the token depends on, the version of
-- the rights at the same moment included, as the text of a JSON list: an actor is remembered under this very text. It runs
-- as the role of a domain, which owns it.
create function find_token(
  of_domain bigint, token_hash bytea, out standing text, out expires_at timestamptz, out is_consumed boolean
)
language plpgsql stable security definer as $$
declare
  ignored text;
begin
  ignored := set_config('holdfast.domain_id', of_domain::text, true);
  ignored := set_config('enable_seqscan', 'off', true);
  select json_build_array(
      of_domain, coalesce(
        (select v.version - v.token_ends from access_versions v where v.domain_id = of_domain), 0),
      a.account_uuid, a.client_id, a.method_uuid, a.scope, coalesce(a.payload -> 'fits', '[]')),
    a.expires_at, a.consumed_at is not null
    into standing, expires_at, is_consumed from artifacts a
    where a.domain_id = of_domain and a.kind = 'AccessToken' and a.hash between token_hash and token_hash
    order by a.hash limit 1;
end
$$;
grant create on schema public to holdfast_domain;
alter function find_token(bigint, bytea) owner to holdfast_domain;
revoke create on schema public from holdfast_domain;

-- What stands behind the tokens of this account, consumer and authentication method, and the version of the rights at the
-- same moment.
create function find_backing(
  of_domain bigint, of_account uuid, of_client text, of_method uuid, client_type text
) returns jsonb
language plpgsql stable as $$
declare
  ignored text;
  account jsonb;
  client jsonb;
  method jsonb;
  system uuid;
begin
  ignored := set_config('holdfast.domain_id', of_domain::text, true);
  ignored := set_config('role', 'holdfast_domain', true);
  ignored := set_config('enable_seqscan', 'off', true);
  account := find_signer(of_domain, of_account);
  select c.system_uuid into system from system_credentials c
    where c.domain_id = of_domain and c.account_uuid between of_account and of_account order by c.account_uuid limit 1;
  if of_client is not null then
    -- A client_id is the key of its record and nine characters more.
    client := find_signer(of_domain, client_type, left(of_client, -9));
  end if;
  if of_method is not null then
    select jsonb_build_object('kind', m.kind, 'status', m.status, 'configuration', m.configuration) into method
      from authentication_methods m
      where m.domain_id = of_domain and m.uuid between of_method and of_method order by m.uuid limit 1;
  end if;
  return jsonb_build_object(
    'account', account, 'client', client, 'method', method, 'systemUuid', system, 'rightsVersion', coalesce(
      (select v.version - v.token_ends from access_versions v where v.domain_id = of_domain), 0));
end
$$;
