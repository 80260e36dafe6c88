import { closest, distance } from 'fastest-levenshtein'

/** The most findings with a suggested spelling. They are limited because each search compares all keys of a type. */
export const MOST_GUESSES = 20

/** Returns ` Did you mean "status"?`, or an empty text if no candidate is similar enough for a spelling mistake. */
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
