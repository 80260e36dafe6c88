import { compilePattern, type Assertion, type Program } from './pattern-program.ts'

/** The longest text that is matched. Longer texts are rejected. */
const LONGEST_TEXT = 10_000

const NONE = -1

/** Matches a pattern in time that is linear in the length of the text. */
export class LinearPattern {
  readonly #source: string
  readonly #program: Program
  /** The last step in which each instruction was reached, so that each step follows it only once. */
  readonly #reached: Uint32Array
  readonly #spend: (steps: number) => void
  #step = 0

  /** `spend` is called for every step, and may throw. */
  constructor(pattern: string, spend: (steps: number) => void = () => {}) {
    this.#source = pattern
    this.#spend = spend
    this.#program = compilePattern(pattern)
    this.#reached = new Uint32Array(this.#program.length)
  }

  /** The maximum number of instructions that one character can take. */
  get size(): number {
    return this.#program.length
  }

  /** The source, because Ajv caches patterns by their text. */
  toString(): string {
    return this.#source
  }

  test(text: string): boolean {
    if (text.length > LONGEST_TEXT) {
      throw new Error(`a text of more than ${LONGEST_TEXT} characters cannot be checked against a pattern`)
    }
    this.#reached.fill(0)
    this.#step = 0
    this.#spend(1 + this.size / 16)
    const characters = Array.from(text, (character) => character.codePointAt(0) ?? NONE)
    let indexes: number[] = []
    for (let at = 0; at <= characters.length; at++) {
      const before = characters[at - 1] ?? NONE
      const after = characters[at] ?? NONE
      // A match may begin at any character.
      if (this.#follow([...indexes, 0], before, after)) return true
      indexes = this.#advance(after)
    }
    return false
  }

  #active: number[] = []

  /** Collects the instructions that wait for a character. It returns true if the end of the program is reached. */
  #follow(indexes: number[], before: number, after: number): boolean {
    this.#active = []
    this.#step++
    let steps = 1
    let matches = false
    for (let index = indexes.pop(); index !== undefined; index = indexes.pop()) {
      const instruction = this.#program[index]
      steps++
      if (instruction === undefined || this.#reached[index] === this.#step) continue
      this.#reached[index] = this.#step
      if (instruction.does === 'match') {
        matches = true
        break
      }
      if (instruction.does === 'go') for (const way of instruction.ways) indexes.push(index + way)
      else if (instruction.does === 'character') this.#active.push(index)
      else if (holds(instruction.what, before, after)) indexes.push(index + 1)
    }
    this.#spend(steps)
    return matches
  }

  #advance(character: number): number[] {
    const next: number[] = []
    for (const index of this.#active) {
      const instruction = this.#program[index]
      if (instruction?.does === 'character' && character !== NONE && instruction.test(character)) next.push(index + 1)
    }
    return next
  }
}

function holds(assertion: Assertion, before: number, after: number): boolean {
  if (assertion === '^') return before === NONE
  if (assertion === '$') return after === NONE
  return (isWord(before) !== isWord(after)) === (assertion === '\\b')
}

function isWord(codePoint: number): boolean {
  return codePoint !== NONE && codePoint < 128 && /\w/.test(String.fromCharCode(codePoint))
}
