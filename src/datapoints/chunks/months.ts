/** The month (UTC) of a time in microseconds since 1970, as the number of months since 1970. */
export function monthOf(at: number): number {
  const date = new Date(at / 1_000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

export function beginOfMonth(month: number): number {
  return Date.UTC(1970, month) * 1_000
}
