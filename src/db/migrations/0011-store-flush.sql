-- Stores one flush, in one way to the database and back, and gives its number and the versions of model and access of its
-- domains. What was checked by other versions is left out. The lock of a domain is held by all who store at once, and by
-- whoever raises its model's version alone, until the end of the transaction: so no point that was checked by an old model
-- comes after the new one. Where it is not free, the domain is left out and its model is `locked`: the others need not wait
-- for it. Each statement in here sees what was committed until then; `models` is read when the locks are held. A buffer that
-- another process took over has lost its name, and is not found.
create function store_flush(
  of_buffer integer,
  -- In ascending order, with the versions that their points were checked by; `any` for a sender whose rights cannot end.
  of_domains bigint[], by_models text[], by_accesses text[],
  -- Nine numbers for each segment: the place of its domain above, the columns from series_lo to count, the place of its
  -- bytes in the body, the bytes of its series and those of its points.
  segments bigint[], body bytea,
  out number bigint, out models text[], out accesses text[]
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
    select d.model_version into model from domains d where d.id = of_domains[place];
    select v.version into access from access_versions v where v.domain_id = of_domains[place];
    models[place] := case when are_free[place] then coalesce(model, 0)::text else 'locked' end;
    accesses[place] := coalesce(access, 0);
    are_current[place] := by_models[place] = models[place] and by_accesses[place] in (accesses[place], 'any');
  end loop;
  number := nextval('datapoint_generations');
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
