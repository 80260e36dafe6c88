-- An Idempotency-Key is kept in the transaction that stores its batch, with the answer, so that a retry is answered and not
-- stored; and a flush that the database runs late never replaces newer values (docs/decisions/0061).
alter table idempotency_keys
  -- The number of the flush or of the change of setpoints, for X-Service-Change.
  add column change bigint,
  -- JSON. Null for an apply, which has a history, and for a batch of an earlier release, which remembered keys apart.
  add column answer text;

-- An apply looks at the data again that came after the last settled flush.
grant select on writer_slots to holdfast_domain;

drop function store_flush(integer, bigint[], text[], text[], bigint[], bytea);

-- Stores one flush, in one way to the database and back, and gives its number and the versions of model and access of its
-- domains. What was checked by other versions is left out. The lock of a domain is held by all who store at once, and by
-- whoever raises its model's version alone, until the end of the transaction: so no point that was checked by an old model
-- comes after the new one. Where it is not free, the domain is left out and its model is `locked`: the others need not wait
-- for it. Each statement in here sees what was committed until then; `models` is read when the locks are held. A buffer that
-- another process took over has lost its name, and is not found.
--
-- Nothing at all is stored in two cases, and the caller then sends the flush again:
-- - A key is not new. Then `key_states` says so of each key: `new`, `known` (stored before, or used for another batch), or
--   `locked` (another transaction is storing a batch with it).
-- - Another process has drawn a number since the caller last knew one. The database cannot tell whether this flush was sent
--   just now or long ago. Then `drawn_by` is the session that has drawn `number`, and the flush may be stored under it.
create function store_flush(
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
  model bigint;
  access bigint;
  are_free boolean[] := '{}';
  are_current boolean[] := '{}';
  columns text := 'domain_id, generation, series_lo, series_hi, t0, t1, count, series, points';
begin
  models := '{}';
  accesses := '{}';
  foreach of_domain in array of_domains loop
    are_free := are_free || pg_try_advisory_xact_lock_shared(hashtextextended('model', of_domain));
  end loop;
  for place in 1 .. array_length(of_domains, 1) loop
    -- Both at once: what a statement costs here is mostly its beginning.
    select (select d.model_version from domains d where d.id = of_domains[place]),
      (select v.version from access_versions v where v.domain_id = of_domains[place])
    into model, access;
    models[place] := case when are_free[place] then coalesce(model, 0)::text else 'locked' end;
    accesses[place] := coalesce(access, 0);
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
