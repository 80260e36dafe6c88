import { closest, distance } from 'fastest-levenshtein'

/**
 * The maximum number of findings with a suggested spelling. They are limited because each search compares all keys of a
 * type.
 */
export const MOST_GUESSES = 20

/** The maximum number of characters of a text that may be a misspelled key or word. */
const LONGEST_GUESSED = 500

/** Returns ` Did you mean "status"?`, or an empty text if no candidate is similar enough for a spelling mistake. */
export function didYouMean(written: string, candidates: readonly string[]): string {
  if (written.length > LONGEST_GUESSED) return ''
  const most = Math.max(2, Math.floor(written.length / 3))
  // A candidate with a very different length is not similar, and comparing long texts takes time.
  const similar = candidates.filter(({ length }) => Math.abs(length - written.length) <= most)
  if (similar.length === 0) return ''
  const best = closest(
    written.toLowerCase(),
    similar.map((candidate) => candidate.toLowerCase()),
  )
  const match = similar.find((candidate) => candidate.toLowerCase() === best)
  const near = distance(written.toLowerCase(), best) <= most
  return match !== undefined && near ? ` Did you mean ${JSON.stringify(match)}?` : ''
}
