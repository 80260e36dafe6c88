import { AnswerBudget } from '../platform/answer-budget.ts'
import { breather } from '../db/breather.ts'

/** Pieces are joined up to this many characters before they are encoded. */
const CHARACTERS_AT_ONCE = 65_536

/**
 * Returns the bytes of an answer. Other work runs while it is written. It is rejected as soon as it exceeds the budget.
 */
export async function writeAnswer(
  pieces: Iterable<string>,
  budget = new AnswerBudget(),
): Promise<Uint8Array<ArrayBuffer>> {
  const breathe = breather()
  const written: Buffer[] = []
  let waiting = ''
  const write = (): void => {
    // Each character needs at least one byte, so an answer that is too large is rejected before it is encoded.
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
