import { closest, distance } from 'fastest-levenshtein'

/** The number of findings for which a likely spelling is searched, where each search looks at all keys of a type. */
export const MOST_GUESSES = 20

/** ` Did you mean "status"?`, or an empty text where no candidate is near enough to be a spelling mistake. */
export function didYouMean(written: string, candidates: readonly string[]): string {
  if (candidates.length === 0) return ''
  const best = closest(
    written.toLowerCase(),
    candidates.map((candidate) => candidate.toLowerCase()),
  )
  const match = candidates.find((candidate) => candidate.toLowerCase() === best)
  const near = distance(written.toLowerCase(), best) <= Math.max(2, Math.floor(written.length / 3))
  return match !== undefined && near ? ` Did you mean ${JSON.stringify(match)}?` : ''
}
