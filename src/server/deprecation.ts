// An operation announces that it will be removed (docs/versioning.md).

export interface Deprecation {
  /** The day since which the operation is deprecated, such as `2027-01-31`. */
  readonly since: string
  /** The first day on which the operation may be removed. */
  readonly until: string
  /** The replacement, as a sentence. */
  readonly instead: string
}

/** Returns the headers of each answer (RFC 9745, RFC 8594). */
export function deprecationHeaders({ since, until }: Deprecation): { readonly [name: string]: string } {
  return { deprecation: `@${Date.parse(since) / 1_000}`, sunset: new Date(until).toUTCString() }
}

export function deprecationText({ since, until, instead }: Deprecation): string {
  return `${instead} Deprecated since ${since}; it may be gone from ${until} on.`
}
