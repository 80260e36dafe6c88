// What makes a text easy to guess, however long it is (NIST SP 800-63B, section 5.1.1.2): it repeats itself, runs along
// the alphabet or the keyboard, is what many others choose, or says what everybody knows about the account.

/** As much as must be left of a password without what is easily guessed. */
const SHORTEST_REST = 8

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertzuiop',
  'qwertyuiop',
  'asdfghjkl',
  'yxcvbnm',
  'zxcvbnm',
]
const RUNS = ROWS.flatMap((row) => [row, [...row].toReversed().join('')])

const SHORTEST_WORD = 4

/** `why` goes on after "the password" or "the secret". */
export function patternIn(text: string): string | null {
  const plain = text.normalize('NFKC').toLowerCase()
  if (plain.trim() === '') return 'is nothing but blanks'
  const piece = repeatedPiece(plain)
  if (piece !== null) return `is ${[...piece].length === 1 ? 'one character' : 'one piece'} again and again`
  return withoutRuns(plain).length < SHORTEST_REST && plain.length > SHORTEST_REST
    ? 'runs along the alphabet, the numbers or the keyboard'
    : null
}

/** `context`: what others know, such as the login and the name of the domain. `isCommon`: in lower case. */
export function commonnessOf(
  text: string,
  context: readonly string[],
  isCommon: (word: string) => boolean,
): string | null {
  const plain = text.normalize('NFKC').toLowerCase()
  const spellings = [plain, plain.replaceAll(/[^\p{L}\p{N}]/gu, '')]
  const isMostOf = (word: string) =>
    spellings.some((one) => one.includes(word) && one.length - word.length < SHORTEST_REST)
  const known = wordsIn(context).find(isMostOf)
  if (known !== undefined) return `is little more than ${JSON.stringify(known)}, which others know`
  const core = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const isKnown = [plain, plain.replaceAll(' ', '')].some(isCommon)
  if (isKnown || (isCommon(core) && plain.length - core.length < SHORTEST_REST)) return 'is one that many people choose'
  return null
}

/** The shortest piece that the whole text is made of, where that is more than one of it. */
function repeatedPiece(text: string): string | null {
  const length = (text + text).indexOf(text, 1)
  return length < text.length ? text.slice(0, length) : null
}

/** Each run of at least four neighbours counts as one character. */
function withoutRuns(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length;) {
    const length = runAt(text, at)
    rest += text[at]
    at += length >= 4 ? length : 1
  }
  return rest
}

function runAt(text: string, start: number): number {
  return Math.max(...RUNS.map((row) => runIn(row, text, start)), sameAt(text, start))
}

/** How long a text goes along a row from a place, over its end and on from its beginning. */
function runIn(row: string, text: string, start: number): number {
  let length = 0
  let place = row.indexOf(text[start] ?? '\0')
  while (place >= 0 && text[start + length] === row[place % row.length] && start + length < text.length) {
    length += 1
    place += 1
  }
  return length
}

function sameAt(text: string, start: number): number {
  let length = 1
  while (text[start + length] === text[start]) length += 1
  return length
}

/** Whole, and their parts: of an address the name and the labels of the host. */
function wordsIn(context: readonly string[]): string[] {
  const words = context.flatMap((text) => {
    const plain = text.normalize('NFKC').toLowerCase()
    return [plain, plain.replaceAll(/[^\p{L}\p{N}]/gu, ''), ...plain.split(/[^\p{L}\p{N}]+/u)]
  })
  return [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD).toSorted((a, b) => b.length - a.length)
}
