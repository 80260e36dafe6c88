import { AnswerBudget } from '../platform/answer-budget.ts'
import { Semaphore } from '../platform/semaphore.ts'
import { breather } from '../db/breather.ts'

/** Pieces are joined up to this many characters before they are encoded. */
const CHARACTERS_AT_ONCE = 65_536

/** Long answers that are written at once. Nobody counts their bytes before they are complete, and the others wait. */
const LONG_ONES = new Semaphore(2)

/** Returns the bytes of an answer. Other work runs while it is written. It fails as soon as it exceeds the budget. */
export async function writeAnswer(
  pieces: Iterable<string>,
  budget = new AnswerBudget(),
): Promise<Uint8Array<ArrayBuffer>> {
  const rest = pieces[Symbol.iterator]()
  const first = beginning(rest)
  const work = () => write(first, rest, budget)
  return first.length < CHARACTERS_AT_ONCE ? work() : LONG_ONES.run(work)
}

/** Joins pieces until they are long. */
function beginning(pieces: Iterator<string>): string {
  let text = ''
  while (text.length < CHARACTERS_AT_ONCE) {
    const { done, value } = pieces.next()
    if (done === true) break
    text += value
  }
  return text
}

async function write(first: string, rest: Iterator<string>, budget: AnswerBudget): Promise<Uint8Array<ArrayBuffer>> {
  const breathe = breather()
  const written: Buffer[] = []
  for (let waiting = first; waiting !== '' || written.length === 0; waiting = beginning(rest)) {
    // Each character needs at least one byte, so an answer that is too large is rejected before it is encoded.
    budget.check(waiting.length)
    const bytes = Buffer.from(waiting)
    budget.take(bytes.length)
    written.push(bytes)
    if (waiting.length >= CHARACTERS_AT_ONCE) await breathe()
  }
  return Buffer.concat(written)
}
