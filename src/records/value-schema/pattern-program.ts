// The `pattern`s of a JSON Schema come from a model, and the texts from devices. JavaScript's engine takes exponential
// time for some combinations. So a pattern is compiled to a program that follows all alternatives at once (Thompson
// 1968). Its time is at most the length of the program times the length of the text. Backreferences and lookaround are
// rejected, because such a program cannot express them.

/** Tells whether an atom of the pattern matches a code point. */
type CharacterTest = (codePoint: number) => boolean

/** An instruction. Jumps are relative, so that a part of a program can be copied. */
type Instruction =
  | { readonly does: 'match' }
  | { readonly does: 'character'; readonly test: CharacterTest }
  | { readonly does: 'assert'; readonly what: Assertion }
  | { readonly does: 'go'; readonly ways: readonly number[] }

export type Assertion = '^' | '$' | '\\b' | '\\B'
export type Program = readonly Instruction[]

const LONGEST_PATTERN = 2000
const MOST_INSTRUCTIONS = 1000

const PIECE =
  /\\(?:u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|[^]/iuy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy
const GROUP = /\((?:(?!\?)|\?:|\?<[^=!>]+>)/uy

/** Compiles a pattern. It throws an error with a message for the author of the pattern. */
export function compilePattern(pattern: string): Program {
  if (pattern.length > LONGEST_PATTERN) throw new Error(`it has more than ${LONGEST_PATTERN} characters`)
  // JavaScript's engine only checks the syntax here.
  void new RegExp(pattern, 'u')
  const cursor: Cursor = { pattern, at: 0 }
  return join(readAlternatives(cursor), [{ does: 'match' }])
}

interface Cursor {
  readonly pattern: string
  at: number
}

/** Reads to the end of the pattern, or to the parenthesis that closes the group. */
function readAlternatives(cursor: Cursor): Program {
  const first = readSequence(cursor)
  if (cursor.pattern[cursor.at] !== '|') return first
  cursor.at++
  const others = readAlternatives(cursor)
  return join([go(1, first.length + 2)], first, [go(others.length + 1)], others)
}

function readSequence(cursor: Cursor): Program {
  let program: Program = []
  while (cursor.at < cursor.pattern.length && !'|)'.includes(cursor.pattern[cursor.at] ?? '')) {
    const atom = readAtom(cursor)
    const quantifier = take(cursor, QUANTIFIER)
    program = join(program, quantifier === null ? atom : repeat(atom, quantifier))
  }
  return program
}

function readAtom(cursor: Cursor): Program {
  if (cursor.pattern[cursor.at] === '(') return readGroup(cursor)
  const piece = take(cursor, PIECE)?.[0] ?? ''
  if (piece === '^' || piece === '$' || piece === '\\b' || piece === '\\B') return [{ does: 'assert', what: piece }]
  if (/^\\[1-9k]/.test(piece)) throw new Error('a backreference cannot be checked in bounded time')
  return [{ does: 'character', test: characterTest(piece) }]
}

function readGroup(cursor: Cursor): Program {
  if (take(cursor, GROUP) === null) throw new Error('lookahead, lookbehind and modifiers are not supported')
  const inside = readAlternatives(cursor)
  cursor.at++
  return inside
}

/** Repeats an atom. Lazy and greedy quantifiers are equal here, because they only change what is matched. */
function repeat(atom: Program, [, sign, least, comma, most]: RegExpExecArray): Program {
  if (sign === '*') return loop(atom)
  if (sign === '+') return join(atom, loop(atom))
  if (sign === '?') return optional(atom, 1)
  const min = copies(atom, Number(least))
  if (comma === '') return min
  return join(min, most === '' ? loop(atom) : optional(atom, Number(most) - Number(least)))
}

function loop(atom: Program): Program {
  return join([go(1, atom.length + 2)], atom, [go(-atom.length - 1)])
}

/** Repeats an atom up to a number of times. The program may stop before each repetition. */
function optional(atom: Program, times: number): Program {
  const length = atom.length + 1
  refuseLong(length * times)
  return Array.from({ length: times }, (_, index) => join([go(1, (times - index) * length)], atom)).flat()
}

function copies(atom: Program, times: number): Program {
  refuseLong(Math.max(atom.length, 1) * times)
  return Array.from({ length: times }, () => atom).flat()
}

function go(...ways: readonly number[]): Instruction {
  return { does: 'go', ways }
}

function join(...parts: readonly Program[]): Program {
  const program = parts.flat()
  refuseLong(program.length)
  return program
}

function refuseLong(length: number): void {
  if (length > MOST_INSTRUCTIONS) throw new Error('it is too large: its repetitions written out are too many')
}

function take(cursor: Cursor, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.pattern)
  if (found !== null) cursor.at = expression.lastIndex
  return found
}

/** Matches a single code point with JavaScript's engine, which is fast, and caches the answers for ASCII. */
function characterTest(atom: string): CharacterTest {
  const expression = new RegExp(`^${atom}$`, 'u')
  const ascii: (boolean | undefined)[] = Array.from({ length: 128 })
  return (codePoint) => {
    const known = ascii[codePoint]
    if (known !== undefined) return known
    const found = expression.test(String.fromCodePoint(codePoint))
    if (codePoint < 128) ascii[codePoint] = found
    return found
  }
}
