const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Accepts lower case only, as the database writes UUIDs. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
