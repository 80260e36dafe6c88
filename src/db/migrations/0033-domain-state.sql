-- Ordinary writes change the state of a domain, but not its row in `domains`. Citus keeps a copy of `domains` on each
-- node, so a lock or an update of such a row would need all nodes (docs/decisions/0083).
create table domain_state (
  domain_id bigint primary key,
  -- Raised by every write of the model and of retentions, if a system or component gets another status or unit, and with
  -- the end of a credential. A process that caches any of these compares this version with its own.
  model_version bigint not null default 0,
  -- The version of the last write of the model or of a retention, and of the last deletion that may have removed data.
  records_version bigint not null default 0,
  deletion_version bigint not null default 0,
  -- The types that the last apply managed: record type → 'managed' | 'partial'. No apply ever managed an absent type.
  managed_types jsonb not null default '{}',
  -- The owners of the managed types: record type → owner. An absent type belongs to the local owner. Null until an apply has
  -- written it: then the history tells by which repository each type was applied the last time.
  type_owners jsonb
);
insert into domain_state (domain_id, model_version, records_version, deletion_version, managed_types, type_owners)
select id, model_version, records_version, deletion_version, managed_types, type_owners from domains returning domain_id;

grant select, update on domain_state to holdfast_domain;
revoke update on domains from holdfast_domain;
alter table domain_state enable row level security;
create policy own_domain on domain_state to holdfast_domain
  using (domain_id = current_setting('holdfast.domain_id')::bigint);

alter table domains drop column model_version, drop column records_version, drop column deletion_version,
  drop column managed_types, drop column type_owners;

-- Stores one flush, in one round trip to the database, and returns its number and the versions of model and access of its
-- domains. It leaves out domains that were checked by other versions. All flushes hold the lock of a domain in shared mode
-- until the end of the transaction, and a transaction that raises the version of its model holds it alone. So no point that
-- was checked by the old model is stored after the new model takes effect. If the lock is taken, the flush does not wait. It
-- leaves out the domain, and the model is `locked`. Each statement in this function sees what was committed before it; the
-- versions are read after the locks are held. A buffer that another process took over has another name, and is not found.
--
-- Nothing at all is stored in two cases, and the caller then sends the flush again:
-- - A key is not new. Then `key_states` says so of each key: `new`, `known` (stored before, or used for another batch), or
--   `locked` (another transaction is storing a batch with it).
-- - Another process has drawn a number since the caller last knew one. The database cannot tell whether this flush was sent
--   just now or long ago. Then `drawn_by` is the session that has drawn `number`, and the flush may be stored under it.
create or replace function store_flush(
  of_buffer integer,
  -- In ascending order, with the versions that their points were checked by; `any` for a sender whose rights cannot end.
  of_domains bigint[], by_models text[], by_accesses text[],
  -- Nine numbers for each segment: the place of its domain above, the columns from series_lo to count, the place of its
  -- bytes in the body, the bytes of its series and those of its points.
  segments bigint[], body bytea,
  -- The highest number that the caller knows to be drawn. Or, with the session that has drawn it, the number of this flush. It
  -- must be the present session: after a crash of the database a new session may draw the number again.
  given_number bigint, given_by integer,
  -- Null for none, or five texts for each key: the place of its domain above, actor, key, digest in hexadecimal digits, and
  -- answer. No key comes twice.
  keys text[],
  out number bigint, out drawn_by integer, out models text[], out accesses text[], out key_states text[]
)
language plpgsql volatile as $$
declare
  of_domain bigint;
  place integer;
  model bigint;
  access bigint;
  are_free boolean[] := '{}';
  are_current boolean[] := array_fill(false, array[array_length(of_domains, 1)]);
  columns text := 'domain_id, generation, series_lo, series_hi, t0, t1, count, series, points';
begin
  models := array_fill('locked'::text, array[array_length(of_domains, 1)]);
  accesses := array_fill('0'::text, array[array_length(of_domains, 1)]);
  foreach of_domain in array of_domains loop
    are_free := are_free || pg_try_advisory_xact_lock_shared(hashtextextended('model', of_domain));
  end loop;
  -- All domains at once, because each statement costs a round trip on Citus.
  for of_domain, model, access in
    select s.domain_id, s.model_version, coalesce(v.version, 0)
    from domain_state s left join access_versions v on v.domain_id = s.domain_id
    where s.domain_id = any (of_domains)
  loop
    place := array_position(of_domains, of_domain);
    if are_free[place] then models[place] := model; end if;
    accesses[place] := access;
    are_current[place] := by_models[place] = models[place] and by_accesses[place] in (accesses[place], 'any');
  end loop;
  if keys is not null then
    key_states := '{}';
    for k in 1 .. array_length(keys, 1) by 5 loop
      of_domain := of_domains[keys[k]::integer];
      if pg_try_advisory_xact_lock(hashtextextended('key ' || keys[k + 1] || ' ' || keys[k + 2], of_domain)) then
        -- Under the lock, so that whoever had it before has ended.
        perform from idempotency_keys i
        where i.domain_id = of_domain and i.actor = keys[k + 1] and i.key = keys[k + 2]
          and (i.answer is not null or i.digest <> decode(keys[k + 3], 'hex'));
        key_states := key_states || case when found then 'known' else 'new' end;
      else
        key_states := key_states || 'locked'::text;
      end if;
    end loop;
    if key_states && '{known,locked}' then
      return;
    end if;
  end if;
  if given_by = pg_backend_pid() then
    number := given_number;
  else
    number := nextval('datapoint_generations');
    if number <> given_number + 1 then
      drawn_by := pg_backend_pid();
      return;
    end if;
  end if;
  if keys is not null then
    insert into idempotency_keys (domain_id, actor, key, digest, at, created_at, change, answer)
    select of_domains[keys[i]::integer], keys[i + 1], keys[i + 2], decode(keys[i + 3], 'hex'),
      (extract(epoch from now()) * 1000000)::bigint, now(), number, keys[i + 4]
    from generate_series(1, array_length(keys, 1), 5) i
    where are_current[keys[i]::integer]
    on conflict (domain_id, actor, key) do update set change = excluded.change, answer = excluded.answer;
  end if;
  if array_length(segments, 1) = 9 then
    -- Small flushes are many, and most of what a set costs is its plan.
    if are_current[segments[1]] then
      execute format('insert into datapoints_hot_%s (%s) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', of_buffer, columns)
        using of_domains[segments[1]], number, segments[2], segments[3], segments[4], segments[5], segments[6]::integer,
          substring(body from 1 for segments[8]::integer), substring(body from segments[8]::integer + 1);
    end if;
  else
    execute format(
      'insert into datapoints_hot_%s (%s)
       select $1[p.domain], $2, p.lo, p.hi, p.t0, p.t1, p.count, substring($5 from p.at + 1 for p.series),
         substring($5 from p.at + p.series + 1 for p.points)
       from (
         select $4[i]::integer as domain, $4[i + 1] as lo, $4[i + 2] as hi, $4[i + 3] as t0, $4[i + 4] as t1,
           $4[i + 5]::integer as count, $4[i + 6]::integer as at, $4[i + 7]::integer as series, $4[i + 8]::integer as points
         from generate_series(1, coalesce(array_length($4, 1), 0), 9) i) p
       where $3[p.domain]', of_buffer, columns)
      using of_domains, number, are_current, segments, body;
  end if;
end
$$;
