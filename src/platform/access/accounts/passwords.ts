import { commonnessOf, patternIn } from '../../../auth/password-weakness.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { loadedOnce } from '../../../lib/loaded-once.ts'
import type { Domain } from '../../../store/domains.ts'

// The rules follow NIST SP 800-63B, section 5.1.1: they demand length, but no kinds of characters and no expiry.

export const SHORTEST_PASSWORD = 12
/** The longest password, in bytes of UTF-8. Longer ones would cost time without adding security. */
export const LONGEST_PASSWORD_BYTES = 1_024

export function isPossiblePassword(password: string): boolean {
  return password !== '' && Buffer.byteLength(password) <= LONGEST_PASSWORD_BYTES
}

const PRODUCT = 'holdfast'

/** Checks a new password. `login` is the account that it is for. */
export async function checkNewPassword(
  password: string,
  { login, domain }: { readonly login: string; readonly domain: Pick<Domain, 'name' | 'slug' | 'hostNames'> },
): Promise<void> {
  // The characters are counted after normalisation (section 5.1.1.2), because keyboards write some of them in several
  // ways.
  const length = [...password.normalize('NFKC')].length
  if (length < SHORTEST_PASSWORD)
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `the password has ${length} characters and needs at least ${SHORTEST_PASSWORD}; a few words in a row are good`,
    )
  if (!isPossiblePassword(password))
    throw new HoldfastError('LIMIT_EXCEEDED', `the password is longer than ${LONGEST_PASSWORD_BYTES} bytes`)
  const context = [login, domain.name, domain.slug, ...domain.hostNames, PRODUCT]
  const common = await commonPasswords()
  const weakness = patternIn(password) ?? commonnessOf(password, context, (word) => common.has(word))
  if (weakness !== null)
    throw new HoldfastError('BAD_USER_INPUT', `the password ${weakness}; a few words in a row are good`)
}

/** About 50,000 words found in leaks, in lower case. They are loaded when a password is first chosen. */
const commonPasswords = loadedOnce(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(String))
})
