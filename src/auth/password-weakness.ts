// Some texts are easy to guess, no matter how long they are (NIST SP 800-63B, section 5.1.1.2). They repeat themselves,
// run along the alphabet or the keyboard, are chosen by many people, or contain known facts about the account.

/** The number of characters that a password must have besides its easily guessed parts. */
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

/** Finds a pattern in a text. The answer continues a sentence that begins with "the password" or "the secret". */
export function patternIn(text: string): string | null {
  const plain = text.normalize('NFKC').toLowerCase()
  if (plain.trim() === '') return 'is nothing but blanks'
  const piece =
    barelyChanged(plain)
      .map(repeatedPiece)
      .find((found) => found !== null) ?? null
  if (piece !== null) return `is ${[...piece].length === 1 ? 'one character' : 'one piece'} again and again`
  return withoutRuns(plain).length < SHORTEST_REST && plain.length > SHORTEST_REST
    ? 'runs along the alphabet, the numbers or the keyboard'
    : null
}

/**
 * Finds common or known words in a text. `context` contains facts that other people know, such as the login and the
 * name of the domain. `isCommon` expects lower case.
 */
export function commonnessOf(
  text: string,
  context: readonly string[],
  isCommon: (word: string) => boolean,
): string | null {
  const plain = text.normalize('NFKC').toLowerCase()
  const spellings = [plain, lettersOf(plain)]
  const isMostOf = (word: string) =>
    spellings.some((one) => one.includes(word) && one.replaceAll(word, '').length < SHORTEST_REST)
  const known = wordsIn(context).find(isMostOf)
  if (known !== undefined) return `is little more than ${JSON.stringify(known)}, which others know`
  const core = coreOf(plain)
  const isKnown = [plain, plain.replaceAll(' ', '')].some(isCommon)
  if (isKnown || (isCommon(core) && plain.length - core.length < SHORTEST_REST)) return 'is one that many people choose'
  return null
}

/** Returns the letters and digits of a text, without separators. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Returns a text, and its variants without separators and without digits at its ends if these are few. */
function barelyChanged(text: string): string[] {
  const letters = lettersOf(text)
  const core = coreOf(letters)
  if (letters.length * 2 < text.length) return [text]
  return letters.length - core.length < SHORTEST_REST ? [text, letters, core] : [text, letters]
}

/** The text from its first to its last letter. */
function coreOf(text: string): string {
  return /\p{L}(?:.*\p{L})?/su.exec(text)?.[0] ?? ''
}

/**
 * Returns the shortest piece that the whole text repeats; null if the text does not repeat a piece. It looks for the
 * longest beginning that is also the end (Knuth, Morris and Pratt 1977), because `indexOf` takes quadratic time for
 * some texts.
 */
function repeatedPiece(text: string): string | null {
  const borders = new Uint32Array(text.length)
  let border = 0
  for (let at = 1; at < text.length; at++) {
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0
    if (text[at] === text[border]) border += 1
    borders[at] = border
  }
  const length = text.length - border
  return border > 0 && text.length % length === 0 ? text.slice(0, length) : null
}

/** Replaces each run of at least four neighbours by one character. */
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

/**
 * Returns the length of the run that starts at an index of the text. `row` is the order of the characters. A run may
 * continue from the end of the row at its beginning.
 */
function runIn(row: string, text: string, start: number): number {
  let length = 0
  let at = row.indexOf(text[start] ?? '\0')
  while (at >= 0 && text[start + length] === row[at % row.length] && start + length < text.length) {
    length += 1
    at += 1
  }
  return length
}

function sameAt(text: string, start: number): number {
  let length = 1
  while (text[start + length] === text[start]) length += 1
  return length
}

/** Splits the context into words. An address is split into its name and the labels of its host. */
function wordsIn(context: readonly string[]): string[] {
  const words = context.flatMap((text) => {
    const plain = text.normalize('NFKC').toLowerCase()
    const wholes = [plain, ...plain.split('@')]
    return [...wholes, ...wholes.map(lettersOf), ...plain.split(/[^\p{L}\p{N}]+/u)]
  })
  return [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD).toSorted((a, b) => b.length - a.length)
}
