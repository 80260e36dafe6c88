/** Some 50,000 that have been found in leaks, in lower case. Loaded when the first password is chosen. */
let words: Promise<ReadonlySet<string>> | undefined

export function commonPasswords(): Promise<ReadonlySet<string>> {
  words ??= load()
  return words
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].map(String))
}
