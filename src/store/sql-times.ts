// The times of the API have microseconds, which a Date has not, so they are whole numbers since 1970 outside of SQL.

export const microseconds = (column: string): string => `(extract(epoch from ${column}) * 1000000)::int8`
export const instant = (value: string): string => `(timestamptz 'epoch' + ${value}::int8 * interval '1 microsecond')`
