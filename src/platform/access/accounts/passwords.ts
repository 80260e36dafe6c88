import { commonnessOf, patternIn } from '../../../auth/password-weakness.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Domain } from '../../../store/domains.ts'

// NIST SP 800-63B, section 5.1.1: length is what counts; no rules of composition, no expiry.

export const SHORTEST_PASSWORD = 12
/** In UTF-8; more would be work for us and no gain for anybody. */
export const LONGEST_PASSWORD_BYTES = 1_024

export function isPossiblePassword(password: string): boolean {
  return password !== '' && Buffer.byteLength(password) <= LONGEST_PASSWORD_BYTES
}

const PRODUCT = 'holdfast'

/** For a password that somebody chooses for the account that is signed in to as `login`, in a domain. */
export async function checkNewPassword(
  password: string,
  { login, domain }: { readonly login: string; readonly domain: Pick<Domain, 'name' | 'slug' | 'hostNames'> },
): Promise<void> {
  // As people count, after what keyboards write in different ways is made one (section 5.1.1.2).
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

/** Some 50,000 that have been found in leaks, in lower case. Loaded when the first password is chosen. */
let words: Promise<ReadonlySet<string>> | undefined

function commonPasswords(): Promise<ReadonlySet<string>> {
  words ??= load()
  return words
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(String))
}
