-- The look-up of a bearer token in two halves (docs/decisions/0027): the token itself, which every request waits for, and
-- what stands behind it, which a process remembers until the version of the rights is another one.

-- How many of the rises of the version were tokens that ended, and nothing else. What is left, `version - token_ends`, is
-- the version of the rights: it rises with every change of an account, consumer, authentication method or grant, and not
-- when somebody signs out. Whoever raises the version alone raises both.
alter table access_versions add column token_ends bigint not null default 0;

drop function find_bearer(bigint, bytea, text);

-- An access token as it is at this moment. `standing` is everything that the meaning of the token depends on, the version of
-- the rights at the same moment included, as the text of a JSON list: an actor is remembered under this very text. A
-- function, so that plans are kept and the second wall holds without a transaction of four statements around it: it runs
-- as the role of a domain, which owns it. It is stable: all that it reads is of one snapshot. What is set here lasts as
-- long as the statement that calls it; an assignment evaluates it without a query. How the query must be written for its
-- plan to stay good is said in 0007-bearers.sql.
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
-- same moment. As in find_token.
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

-- Stable like those that call them, so that they read the same snapshot.
alter function find_signer(bigint, uuid) stable;
alter function find_signer(bigint, text, text) stable;
