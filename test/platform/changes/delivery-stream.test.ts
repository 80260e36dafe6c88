import { describe, expect, it } from 'vitest'
import { DeliveryStream } from '../../../src/platform/changes/delivery-stream.ts'

function stream(most = 10) {
  const told: string[] = []
  const made = new DeliveryStream<readonly number[], number>({
    show: (numbers) => numbers.values(),
    count: ({ length }) => length,
    most,
    ending: () => told.push('ending'),
    closed: () => told.push('closed'),
  })
  return { made, told }
}

const value = (of: number) => ({ done: false, value: of })
const DONE = { done: true, value: undefined }

describe('a stream of deliveries', () => {
  it('gives what came before and what comes while somebody waits, in order', async () => {
    const { made } = stream()
    made.push([1, 2])
    expect([await made.next(), await made.next()]).toEqual([value(1), value(2)])
    const waiting = made.next()
    made.push([3])
    made.push([4])
    expect([await waiting, await made.next()]).toEqual([value(3), value(4)])
  })

  it('gives what it begins with first, however much came in the meantime', async () => {
    const { made } = stream(2)
    made.push([3])
    made.begin([1, 2, 2.5])
    expect([await made.next(), await made.next(), await made.next(), await made.next()]).toEqual(
      [1, 2, 2.5, 3].map(value),
    )
  })

  it('goes on after a delivery of which nothing is shown', async () => {
    const { made } = stream()
    made.push([])
    made.push([1])
    expect(await made.next()).toEqual(value(1))
  })

  it('ends at once for whoever waits when it is closed', async () => {
    const { made, told } = stream()
    const waiting = made.next()
    expect(await made.return()).toEqual(DONE)
    expect(await waiting).toEqual(DONE)
    made.push([1])
    made.fail(new Error('late'))
    expect(await made.next()).toEqual(DONE)
    expect(told).toEqual(['closed'])
  })

  it('fails once, and then is over', async () => {
    const { made, told } = stream()
    made.push([1])
    made.fail(new Error('revoked'))
    made.fail(new Error('and more'))
    expect(told).toEqual(['ending'])
    await expect(made.next()).rejects.toThrow('revoked')
    expect(await made.next()).toEqual(DONE)
    expect(told).toEqual(['ending', 'closed'])
  })

  it('takes any delivery where nothing waits, since nobody had time to read any of it yet', async () => {
    const { made } = stream(3)
    made.push([1, 2, 3, 4, 5])
    expect(await made.next()).toEqual(value(1))
    made.push([6, 7, 8, 9, 10])
    expect(await made.next()).toEqual(value(2))
    made.push([11])
    await expect(made.next()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('fails by name when more waits than may', async () => {
    const { made } = stream(3)
    made.push([1, 2])
    made.push([3])
    expect(await made.next()).toEqual(value(1))
    // What is being read does not wait any more.
    made.push([4, 5])
    made.push([6])
    await expect(made.next()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(/^more than 3 datapoints, or as many bytes, wait to be read/) as string,
    })
  })
})
