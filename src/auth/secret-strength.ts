import { patternIn } from './password-weakness.ts'

const STRONG_BITS = 80

/**
 * Whether a secret is long and varied enough that nobody finds it by trying, even with a fast hash in hand. Counts what
 * a random secret of these characters would hold, so a long common phrase passes; it is a filter, not a proof.
 */
export function isStrongSecret(secret: string): boolean {
  const alphabet = [/[a-z]/, /[A-Z]/, /[0-9]/].reduce(
    (size, set, index) => size + (set.test(secret) ? [26, 26, 10][index]! : 0),
    0,
  )
  const bits = secret.length * Math.log2(Math.max(2, alphabet + (/[^a-zA-Z0-9]/.test(secret) ? 20 : 0)))
  return bits >= STRONG_BITS && new Set(secret).size >= 8
}

/** Why a secret that programs use is not good enough; null where it is. */
export function secretWeakness(secret: string): string | null {
  return patternIn(secret) ?? (isStrongSecret(secret) ? null : 'is short or uniform enough to be found by trying')
}

/** What to do about it. */
export const MAKE_A_SECRET = 'make one with: openssl rand -hex 32'
