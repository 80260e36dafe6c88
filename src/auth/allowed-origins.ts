import { HoldfastError } from '../lib/errors.ts'

/** The maximum number of origins of a domain. */
export const MOST_ORIGINS = 100

/**
 * Checks the origins of pages that may call the API from a browser (RFC 6454). Browsers send them in exactly this form.
 */
export function checkOrigins(origins: readonly string[]): readonly string[] {
  if (origins.length > MOST_ORIGINS)
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `allowedOrigins has ${origins.length} entries, and ${MOST_ORIGINS} are the most; let a server call the API instead`,
    )
  const problems = origins.flatMap((origin, index) => {
    const problem = problemOf(origin)
    return problem === null ? [] : [{ field: 'allowedOrigins', message: `number ${index + 1} ${problem}` }]
  })
  const [first] = problems
  if (first === undefined) return [...new Set(origins)]
  throw new HoldfastError('BAD_USER_INPUT', `allowedOrigins: ${first.message}`, { details: problems })
}

function problemOf(origin: string): string | null {
  if (origin.includes('*')) return 'has a wildcard, which matches nothing; write each origin out'
  const url = URL.parse(origin)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return 'is not the origin of a web page; write scheme, host and port, such as https://app.example.com'
  return url.origin === origin ? null : `is not in the form that browsers send; write ${url.origin}`
}
