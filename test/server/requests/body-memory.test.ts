import { expect, it, onTestFinished, vi } from 'vitest'
import { BodyMemory } from '../../../src/server/requests/body-memory.ts'

const piece = (length: number, fill: number) => new Uint8Array(length).fill(fill)

it('joins pieces, and frees what they lay in', () => {
  const pieces = [piece(70_000, 1), piece(30_000, 2)]
  const joined = new BodyMemory().join(pieces)
  expect([joined.length, joined[69_999], joined[70_000], joined[99_999]]).toStrictEqual([100_000, 1, 2, 2])
  expect(pieces.map(({ length }) => length)).toStrictEqual([0, 0])
})

it('leaves alone what others lie in as well', () => {
  const slab = piece(100, 7)
  expect([...new BodyMemory().join([slab.subarray(0, 2), slab.subarray(98)])]).toStrictEqual([7, 7, 7, 7])
  expect(slab).toHaveLength(100)
})

it('leaves a single piece where it is', () => {
  const single = piece(10, 1)
  expect(new BodyMemory().join([single])).toBe(single)
  expect(new BodyMemory().join([])).toHaveLength(0)
})

it('lends memory again only when it was given back', () => {
  const memory = new BodyMemory()
  const join = () => memory.join([piece(100_000, 1), piece(1, 2)])
  const [first, second] = [join(), join()]
  expect(second.buffer).not.toBe(first.buffer)
  memory.giveBack(first)
  memory.giveBack(first)
  expect([join(), join()].map(({ buffer }) => buffer === first.buffer)).toStrictEqual([true, false])
})

it('keeps neither what it did not lend nor what is very large', () => {
  const memory = new BodyMemory()
  memory.giveBack(piece(131_072, 1))
  const large = memory.join([piece(5_000_000, 1), piece(1, 2)])
  memory.giveBack(large)
  expect(memory.join([piece(5_000_000, 1), piece(1, 2)]).buffer).not.toBe(large.buffer)
})

it('keeps nothing when no body has come for a while', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const memory = new BodyMemory()
  const bodies = Array.from({ length: 5 }, () => memory.join([piece(3_000_000, 1), piece(1, 2)]))
  for (const body of bodies) memory.giveBack(body)
  vi.advanceTimersByTime(9_000)
  expect(memory.kept).toBe(5 * 4_194_304)
  memory.giveBack(memory.join([piece(10, 1), piece(1, 2)]))
  vi.advanceTimersByTime(9_000)
  expect(memory.kept).toBeGreaterThan(0)
  vi.advanceTimersByTime(1_000)
  expect(memory.kept).toBe(0)
  expect(bodies.map(({ buffer }) => buffer.byteLength)).toStrictEqual([0, 0, 0, 0, 0])
})
