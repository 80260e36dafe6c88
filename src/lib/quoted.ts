const MOST_CHARACTERS = 200

/**
 * Quotes a value for a message, and shortens a long text. Many fields of one request can fail on the same text of
 * megabytes, and each message would otherwise repeat all of it.
 */
export function quoted(value: unknown, most = MOST_CHARACTERS): string {
  if (typeof value !== 'string' || value.length <= most) return JSON.stringify(value)
  // The text is first cut roughly, and then between whole characters.
  const characters = Array.from(value.slice(0, 2 * most))
  return JSON.stringify(`${characters.slice(0, most).join('')}…`)
}
