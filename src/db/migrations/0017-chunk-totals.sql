-- What all points of a chunk come to, where its summary is by the hour: a year by month is added up from some two thousand
-- of these instead of nine thousand hours. Null where the summary is of the whole chunk, and in chunks from before this.
alter table datapoint_chunks add column total bytea;
