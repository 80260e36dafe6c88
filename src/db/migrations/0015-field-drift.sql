-- Who changed each field of a record last, since the last apply: name → {actor, at}. A record may have been changed by
-- several people, and a plan names the one of each field. Rows from before have none: there the last one of the record
-- stands for all.
alter table record_drift add column fields jsonb not null default '{}';
