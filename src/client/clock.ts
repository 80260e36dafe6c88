/** Tokens are dated to the second, and most verifiers tolerate at most one minute of difference. */
const MOST_SKEW_MS = 60_000

export interface Skew {
  readonly seconds: number
  readonly isTooMuch: boolean
  /** For example `3600 s behind the platform`. */
  readonly words: string
}

/** The difference between this machine's clock and the Date header of an answer; null without such a header. */
export function clockSkew(date: string | null, now: number): Skew | null {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(theirs)) return null
  const seconds = Math.round(Math.abs(now - theirs) / 1_000)
  const words = `${seconds} s ${now > theirs ? 'ahead of' : 'behind'} the platform`
  return { seconds, isTooMuch: Math.abs(now - theirs) > MOST_SKEW_MS, words }
}

/** Advice after a refusal that a wrong clock may have caused. */
export function skewAdvice(date: string | null, now: number): string {
  const skew = clockSkew(date, now)
  return skew?.isTooMuch === true ? `; the clock of this machine is ${skew.words}'s: set both clocks by NTP` : ''
}
