/** The headers of every answer, including those that are made outside of the app: see `unreadable-request.ts`. */
export const SECURITY_HEADERS = {
  // The value is fixed by the specification (section 8).
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/** Answers are not cached and load nothing, unless a route says otherwise. */
export const UNLESS_SAID = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
} as const
