import { compilePattern, type Assertion, type Program } from './pattern-program.ts'

/** A longer text is not matched: what the schema then says about it is not known. */
const LONGEST_TEXT = 10_000

const NONE = -1

/** Says whether a text has a match of a pattern, in time that grows with the text only linearly. */
export class LinearPattern {
  readonly #source: string
  readonly #program: Program
  /** The step at which each instruction was reached last, so that no step follows it twice. */
  readonly #reached: Uint32Array
  readonly #spend: (steps: number) => void
  #step = 0

  /** `spend` is told of every step, and may throw. */
  constructor(pattern: string, spend: (steps: number) => void = () => {}) {
    this.#source = pattern
    this.#spend = spend
    this.#program = compilePattern(pattern)
    this.#reached = new Uint32Array(this.#program.length)
  }

  /** How many instructions a character takes at most. */
  get size(): number {
    return this.#program.length
  }

  /** Ajv takes patterns of one text for one. */
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
    let places: number[] = []
    for (let at = 0; at <= characters.length; at++) {
      const before = characters[at - 1] ?? NONE
      const after = characters[at] ?? NONE
      // A match may begin anywhere.
      if (this.#follow([...places, 0], before, after)) return true
      places = this.#advance(after)
    }
    return false
  }

  #active: number[] = []

  /** Collects the instructions that wait for a character; true where the end of the program is reached. */
  #follow(places: number[], before: number, after: number): boolean {
    this.#active = []
    this.#step++
    let steps = 1
    let matches = false
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const instruction = this.#program[place]
      steps++
      if (instruction === undefined || this.#reached[place] === this.#step) continue
      this.#reached[place] = this.#step
      if (instruction.does === 'match') {
        matches = true
        break
      }
      if (instruction.does === 'go') for (const way of instruction.ways) places.push(place + way)
      else if (instruction.does === 'character') this.#active.push(place)
      else if (holds(instruction.what, before, after)) places.push(place + 1)
    }
    this.#spend(steps)
    return matches
  }

  #advance(character: number): number[] {
    const next: number[] = []
    for (const place of this.#active) {
      const instruction = this.#program[place]
      if (instruction?.does === 'character' && character !== NONE && instruction.test(character)) next.push(place + 1)
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
