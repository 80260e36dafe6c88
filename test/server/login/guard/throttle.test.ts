import { describe, expect, it } from 'vitest'
import { Throttle, type Attempt } from '../../../../src/server/login/guard/throttle.ts'

const OWNER: Attempt = {
  domain: 'd1',
  login: 'ann@example.org',
  address: '203.0.113.7',
  clientId: null,
  device: null,
}

/** One password tried on everybody. */
function spray(index: number): Attempt {
  return { ...OWNER, login: `user-${index}` }
}

function anywhere(index: number): string {
  return `198.51.${index % 256}.${Math.floor(index / 256)}`
}

class Clock {
  milliseconds = 0
  readonly now = () => this.milliseconds

  pass(seconds: number): void {
    this.milliseconds += seconds * 1000
  }
}

function start() {
  const clock = new Clock()
  const throttle = new Throttle(clock.now)
  /** How many of so many wrong attempts are let through. */
  const wrong = (count: number, attempt: (index: number) => Attempt) =>
    Array.from({ length: count }, (_, index) => throttle.attempt(attempt(index)).allowed).filter(Boolean).length
  return { clock, throttle, wrong }
}

describe('one account from one address', () => {
  it('may be wrong ten times at once, then once a minute', () => {
    const { clock, throttle, wrong } = start()
    expect(wrong(100, () => OWNER)).toBe(10)
    expect(throttle.attempt(OWNER)).toStrictEqual({ allowed: false, retryAfterSeconds: 60 })
    clock.pass(59)
    expect(throttle.attempt(OWNER)).toStrictEqual({ allowed: false, retryAfterSeconds: 1 })
    clock.pass(1)
    expect(wrong(5, () => OWNER)).toBe(1)
  })

  it('is let in after waiting as long as it was told', () => {
    const { clock, throttle, wrong } = start()
    wrong(12, () => OWNER)
    clock.pass(throttle.attempt(OWNER).retryAfterSeconds)
    expect(throttle.attempt(OWNER).allowed).toBe(true)
  })

  it('may sign in fifty times at once where it has signed in before', () => {
    const { throttle, wrong } = start()
    wrong(9, () => OWNER)
    throttle.attempt(OWNER)
    throttle.succeeded(OWNER)
    expect(wrong(100, () => OWNER)).toBe(50)
  })

  it('does not count as another one in another spelling, nor an IPv6 network as many addresses', () => {
    const { wrong } = start()
    const spellings = ['ann@example.org', 'ANN@example.org', ' ann@example.org ', 'ａｎｎ@example.org']
    expect(wrong(100, (index) => ({ ...OWNER, login: spellings[index % 4] ?? '' }))).toBe(10)
    const { wrong: wrongBySix } = start()
    expect(wrongBySix(100, (index) => ({ ...OWNER, address: `2001:db8:1:2::${index.toString(16)}` }))).toBe(10)
  })

  it('waits for nothing in another domain', () => {
    const { throttle, wrong } = start()
    wrong(100, () => OWNER)
    expect(throttle.attempt({ ...OWNER, domain: 'd2' }).allowed).toBe(true)
  })
})

describe('one address', () => {
  it('may be wrong for fifty accounts at once, then every six seconds', () => {
    const { clock, wrong } = start()
    expect(wrong(1_000, spray)).toBe(50)
    clock.pass(60)
    expect(wrong(1_000, spray)).toBe(10)
  })

  it('does not use up anything where all passwords are right', () => {
    const { throttle } = start()
    for (let index = 0; index < 1_000; index += 1) {
      const attempt = { ...OWNER, login: `user-${index}` }
      expect(throttle.attempt(attempt).allowed).toBe(true)
      throttle.succeeded(attempt)
    }
  })

  it('from where an account has signed in lets it in while others there are wrong', () => {
    const { throttle, wrong } = start()
    throttle.attempt(OWNER)
    throttle.succeeded(OWNER)
    wrong(1_000, (index) => ({ ...OWNER, login: `user-${index}` }))
    expect(throttle.attempt({ ...OWNER, login: 'somebody else' }).allowed).toBe(false)
    expect(throttle.attempt(OWNER).allowed).toBe(true)
  })
})

describe('10,000 wrong attempts a minute', () => {
  it.each([
    ['from one address', (): Attempt => ({ ...OWNER, address: '198.51.100.1' })],
    ['from everywhere', (index: number): Attempt => ({ ...OWNER, address: anywhere(index) })],
    [
      'from everywhere, each with a device of its own',
      (index: number): Attempt => ({ ...OWNER, address: anywhere(index), device: `d${index}` }),
    ],
  ])('on one account %s do not keep its owner out', (_, flood) => {
    const { clock, throttle, wrong } = start()
    for (let second = 0; second < 60; second += 1) {
      wrong(167, (index) => flood(second * 167 + index))
      clock.pass(1)
    }
    expect(throttle.attempt(OWNER).allowed).toBe(true)
    expect(throttle.attempt({ ...OWNER, address: '198.51.100.1', device: 'the one of the owner' }).allowed).toBe(true)
  })

  it('through one application do not keep out who has signed in through it from the same place before', () => {
    const { throttle, wrong } = start()
    const app = { ...OWNER, clientId: 'app.12345678' }
    throttle.attempt(app)
    throttle.succeeded(app)
    expect(wrong(10_000, (index) => ({ ...app, login: `user-${index}`, address: anywhere(index) }))).toBe(600)
    expect(throttle.attempt(app).allowed).toBe(true)
    expect(throttle.attempt({ ...app, login: 'a new one', address: '192.0.2.1' })).toStrictEqual({
      allowed: false,
      retryAfterSeconds: 1,
    })
  })
})

it('slows down who guesses with a device that the owner has signed in with', () => {
  const { wrong } = start()
  expect(wrong(100, (index) => ({ ...OWNER, device: 'stolen', address: anywhere(index) }))).toBe(50)
})
