// The API has times in microseconds, which a Date cannot represent. So outside of SQL, times are integers: microseconds
// since 1970.

export const microseconds = (column: string): string => `(extract(epoch from ${column}) * 1000000)::int8`
export const instant = (value: string): string => `(timestamptz 'epoch' + ${value}::int8 * interval '1 microsecond')`

/**
 * A version is the present time if that is larger than the previous version plus one. So no version is reused after a
 * restore or a failover to an older state: running processes would confuse cached data of the lost state with the new
 * one. The time is the same in all statements of a transaction.
 */
export const VERSION_TIME = microseconds('now()')
