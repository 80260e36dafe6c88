-- Which times of arrival each process may give to points that come without one.

-- The last two digits of a time of arrival in microseconds are a lane, which one process has for itself, so two never give
-- the same. What was given is never given again: a process reserves the times of a lane before it uses them, and the next
-- one to have the lane begins behind them, whatever its clock says. So nothing needs to be known of who is still alive.
-- Lane 0 is left out: those are whole tenths of a millisecond, such as the clocks of clients say.
create table arrival_lanes (
  lane integer primary key check (lane between 1 and 99),
  owner uuid,
  -- Microseconds since 1970; up to here times may have been given.
  reserved bigint not null default 0
);
insert into arrival_lanes (lane) select lane from generate_series(1, 99) lane;
