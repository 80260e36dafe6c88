import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Throttle, type Attempt } from '../../../../src/server/login/guard/throttle.ts'

const OWNER: Attempt = {
  domain: 'd1',
  login: 'ann@example.org',
  address: '203.0.113.7',
  clientId: null,
  device: null,
}

function start() {
  let now = 0
  const throttle = new Throttle(() => now)
  const pass = (seconds: number) => {
    now += seconds * 1000
  }
  return { throttle, pass }
}

it('a refusal is remembered for one account in one place, in any spelling, until the database is asked again', () => {
  const { throttle, pass } = start()
  throttle.refuse(OWNER, { seconds: 30, isOfNetwork: false })
  for (const login of ['ann@example.org', ' ANN@example.org', 'ａｎｎ@example.org'])
    expect(throttle.waitOfPlace({ ...OWNER, login })).toBe(30)
  for (const other of [{ login: 'bob' }, { address: '203.0.113.8' }, { domain: 'd2' }])
    expect(throttle.waitOfPlace({ ...OWNER, ...other })).toBe(0)
  pass(4)
  expect(throttle.waitOfPlace(OWNER)).toBe(26)
  pass(1)
  expect(throttle.waitOfPlace(OWNER)).toBe(0)
  throttle.refuse(OWNER, { seconds: 1, isOfNetwork: false })
  pass(1)
  expect(throttle.waitOfPlace(OWNER)).toBe(0)
})

it('a refusal of a network is remembered for all accounts, and of places that are not known only', () => {
  const { throttle } = start()
  throttle.refuse(OWNER, { seconds: 3, isOfNetwork: true })
  expect(throttle.waitOfNetwork({ ...OWNER, login: 'bob', address: '203.0.113.8' })).toBe(3)
  expect(throttle.waitOfNetwork({ ...OWNER, address: '203.0.114.8' })).toBe(0)
  expect(throttle.waitOfPlace(OWNER)).toBe(0)
})

it('a place where the account signed in is known, and waits no more', () => {
  const { throttle } = start()
  throttle.refuse(OWNER, { seconds: 30, isOfNetwork: false })
  throttle.remember(OWNER)
  expect([throttle.knows(OWNER), throttle.waitOfPlace(OWNER)]).toStrictEqual([true, 0])
  expect(throttle.knows({ ...OWNER, login: 'bob' })).toBe(false)
  expect(throttle.knows({ ...OWNER, address: '198.51.100.1', device: 'of Ann' })).toBe(true)
})

it('of a thousand attempts at once from one known place fifty are looked at, and afterwards the next', async () => {
  const { throttle } = start()
  let looked = 0
  const look = () => {
    looked += 1
    return setImmediate('looked at')
  }
  const stolen = { ...OWNER, device: 'stolen' }
  const [answers, elsewhere] = await Promise.all([
    Promise.all(Array.from({ length: 1_000 }, () => throttle.runKnown(stolen, look))),
    throttle.runKnown({ ...OWNER, device: 'of the owner' }, look),
  ])
  expect(answers.filter((answer) => answer === null)).toHaveLength(950)
  expect([elsewhere, await throttle.runKnown(stolen, look), looked]).toStrictEqual(['looked at', 'looked at', 52])
})

it('after a wrong attempt from a known place one is looked at after the other, until one is right', async () => {
  const { throttle } = start()
  const ten = () =>
    Promise.all(Array.from({ length: 10 }, () => throttle.runKnown(OWNER, () => setImmediate('looked at'))))
  throttle.noteWrong(OWNER)
  expect((await ten()).filter((answer) => answer !== null)).toHaveLength(1)
  throttle.remember(OWNER)
  expect((await ten()).filter((answer) => answer !== null)).toHaveLength(10)
})
