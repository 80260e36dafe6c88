// The times of the API have microseconds, which a Date has not, so they are whole numbers since 1970 outside of SQL.

export const microseconds = (column: string): string => `(extract(epoch from ${column}) * 1000000)::int8`
export const instant = (value: string): string => `(timestamptz 'epoch' + ${value}::int8 * interval '1 microsecond')`

/**
 * Versions are times where these are ahead, so that none is given out again after a restore or a failover has taken the
 * database back: processes that go on would take what they remember of the lost one for the new one. It is the same in
 * all statements of a transaction.
 */
export const VERSION_TIME = microseconds('now()')
