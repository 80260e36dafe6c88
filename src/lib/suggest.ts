import { closest, distance } from 'fastest-levenshtein'

/** The most findings with a suggested spelling. They are limited because each search compares all keys of a type. */
export const MOST_GUESSES = 20

/** Longer texts are no misspelled keys or words. */
const LONGEST_GUESSED = 500

/** ` Did you mean "status"?`, or an empty text where no candidate is near enough to be a spelling mistake. */
export function didYouMean(written: string, candidates: readonly string[]): string {
  if (written.length > LONGEST_GUESSED) return ''
  const most = Math.max(2, Math.floor(written.length / 3))
  // A text of another length is not near, and a long one takes time.
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
