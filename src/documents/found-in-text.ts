import type { WrittenNumber } from './numbers/written-numbers.ts'
import type { Finding } from './checks/finding.ts'

/** The maximum number of mistakes of one file that are reported. */
export const MOST_FINDINGS = 1_000
/**
 * The maximum number of steps of the paths of all kept numbers together. A path of 5 steps leaves room for 400,000
 * numbers.
 */
const MOST_STEPS = 2_000_000

/** Stops the reading of a file with too many mistakes, or with too many numbers to decide about later. */
export class TooMuchFound extends Error {
  readonly finding: Finding

  constructor(code: string, message: string, offset: number) {
    super(message)
    this.finding = { code, message, offset }
  }
}

/** Collects the findings while a file is read. Their number is limited, since one takes more memory than its cause. */
export class FoundInText {
  readonly findings: Finding[] = []
  /** Numbers that are findings only as certain values. They are decided after the file was read. */
  readonly longNumbers: WrittenNumber[] = []
  readonly rewritten: WrittenNumber[] = []
  #steps = 0

  add(finding: Finding): void {
    if (this.findings.length >= MOST_FINDINGS) throw tooManyFindings(finding.offset)
    this.findings.push(finding)
  }

  addLong(number: WrittenNumber): void {
    if (!this.#hasRoom(number)) throw new TooMuchFound('too-many-long-numbers', MANY_LONG, number.offset)
    this.longNumbers.push(number)
  }

  /** Adds a warning. If warnings take too much memory, the last ones are omitted. */
  addRewritten(number: WrittenNumber): void {
    if (this.#hasRoom(number)) this.rewritten.push(number)
  }

  #hasRoom({ value }: WrittenNumber): boolean {
    this.#steps += value.path.length
    return this.#steps <= MOST_STEPS
  }
}

const MANY_LONG =
  'the file holds too many numbers of more than 15 digits; put them in quotes, or divide the file into several.'

function tooManyFindings(offset: number): TooMuchFound {
  const message = `the file has more than ${MOST_FINDINGS} mistakes, and it was read only up to here; correct the others first.`
  return new TooMuchFound('too-many-findings', message, offset)
}

/** The first findings, followed by one that tells where more begin. */
export function firstFindings(findings: readonly Finding[]): readonly Finding[] {
  const inOrder = findings.toSorted((a, b) => a.offset - b.offset)
  const next = inOrder[MOST_FINDINGS]
  return next === undefined ? inOrder : [...inOrder.slice(0, MOST_FINDINGS), tooManyFindings(next.offset).finding]
}
