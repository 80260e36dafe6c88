-- The rule of an authentication method that let somebody in stays with the sign-in: with the identity, for sign-ins in a
-- browser, and with each token.

-- By the uuid of a method: the rule of the last sign-in in a browser, or null where no rule lets the person in any more.
alter table external_identities add column rules jsonb not null default '{}';

-- As before (0007-bearers.sql), and `standing` has the rule.
create or replace function find_token(
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
      a.account_uuid, a.client_id, a.method_uuid, a.scope, coalesce(a.payload -> 'fits', '[]'), a.payload -> 'rule'),
    a.expires_at, a.consumed_at is not null
    into standing, expires_at, is_consumed from artifacts a
    where a.domain_id = of_domain and a.kind = 'AccessToken' and a.hash between token_hash and token_hash
    order by a.hash limit 1;
end
$$;
