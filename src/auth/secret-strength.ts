import { patternIn } from './password-weakness.ts'

const STRONG_BITS = 80

/**
 * Tells whether a secret is long and varied enough to withstand guessing, even if an attacker has its hash and the hash
 * is fast. The estimate assumes that the characters are random, so a long common phrase passes.
 */
export function isStrongSecret(secret: string): boolean {
  const alphabet = [/[a-z]/, /[A-Z]/, /[0-9]/].reduce(
    (size, set, index) => size + (set.test(secret) ? [26, 26, 10][index]! : 0),
    0,
  )
  const bits = secret.length * Math.log2(Math.max(2, alphabet + (/[^a-zA-Z0-9]/.test(secret) ? 20 : 0)))
  return bits >= STRONG_BITS && new Set(secret).size >= 8
}

/** The reason why a secret that programs use is too weak; null if it is strong enough. */
export function secretWeakness(secret: string): string | null {
  return patternIn(secret) ?? (isStrongSecret(secret) ? null : 'is short or uniform enough to be found by trying')
}

/** The advice that follows such a reason. */
export const MAKE_A_SECRET = 'make one with: openssl rand -hex 32'
