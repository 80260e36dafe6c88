import { AnswerBudget } from '../platform/answer-budget.ts'
import { breather } from '../db/breather.ts'

/** Pieces are joined to so many characters before they become bytes. */
const CHARACTERS_AT_ONCE = 65_536

/**
 * The bytes of an answer. It is written while others have their turn, and refused as soon as it would have more bytes
 * than the budget allows.
 */
export async function writeAnswer(
  pieces: Iterable<string>,
  budget = new AnswerBudget(),
): Promise<Uint8Array<ArrayBuffer>> {
  const breathe = breather()
  const written: Buffer[] = []
  let waiting = ''
  const write = (): void => {
    // Each character has a byte at least, so that what does not fit is not encoded first.
    budget.check(waiting.length)
    const bytes = Buffer.from(waiting)
    budget.take(bytes.length)
    written.push(bytes)
    waiting = ''
  }
  for (const piece of pieces) {
    waiting += piece
    if (waiting.length < CHARACTERS_AT_ONCE) continue
    write()
    await breathe()
  }
  write()
  return Buffer.concat(written)
}
