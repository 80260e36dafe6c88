import { expect, it } from 'vitest'
import { writeAnswer } from '../../src/server/written-answer.ts'

const PIECE = 'x'.repeat(65_536)

it('writes two long answers at once, and a short one between them', async () => {
  let [underWay, most] = [0, 0]
  function* long() {
    yield PIECE
    underWay += 1
    most = Math.max(most, underWay)
    for (let count = 0; count < 200; count++) yield PIECE
    underWay -= 1
  }
  const all = Array.from({ length: 6 }, () => writeAnswer(long()))
  expect((await writeAnswer(['short'])).length).toBe(5)
  expect(underWay).toBeGreaterThan(0)
  expect((await Promise.all(all)).map(({ length }) => length)).toEqual(Array.from({ length: 6 }, () => 201 * 65_536))
  expect(most).toBe(2)
})

it('writes an empty answer, and goes on after one that is refused', async () => {
  expect((await writeAnswer([])).length).toBe(0)
  const refused = Array.from({ length: 4 }, () => writeAnswer(Array.from({ length: 600 }, () => PIECE)))
  const outcomes = await Promise.allSettled(refused)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
})
