import { HoldfastError } from './errors.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Accepts lower case only, as the database writes UUIDs. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The uuid as the database writes it; `name` is what it was given as. */
export function checkUuid(text: string, name: string): string {
  const uuid = text.toLowerCase()
  if (isUuid(uuid)) return uuid
  throw new HoldfastError('BAD_USER_INPUT', `${name} must be a UUID, not ${JSON.stringify(text)}`)
}
