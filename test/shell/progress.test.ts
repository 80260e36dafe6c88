import { describe, expect, it } from 'vitest'
import { graphqlClient } from '../../src/client/graphql-client.ts'
import { fixedBearer } from '../../src/client/bearer.ts'
import { WrittenJson } from '../../src/client/request-body.ts'
import { tellTransfer } from '../../src/client/transfer.ts'
import { progressOn } from '../../src/shell/progress.ts'

/** A command whose clock and stderr are those of the test. */
function session(env: { readonly [name: string]: string }, isTerminal: boolean, columns = 80) {
  let written = ''
  let milliseconds = 0
  const ticks: (() => void)[] = []
  const io = {
    env,
    stderr: { write: (text: string) => void (written += text), isTerminal, columns },
    now: () => milliseconds,
  }
  const progress = progressOn(io, (call) => {
    ticks.push(call)
    return () => void ticks.splice(0)
  })
  return {
    progress,
    io,
    pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        milliseconds += 1000
        for (const tick of ticks) tick()
      }
    },
    written: () => written,
    /** What a person sees in the last line. */
    line: () => written.split('\r\u001b[2K').at(-1),
    isTicking: () => ticks.length > 0,
  }
}

describe('at a terminal', () => {
  it('one line says the step, how far it is and for how long, and goes away', () => {
    const { progress, pass, line, isTicking } = session({}, true)
    progress.step('Comparing 3 records')
    expect(line()).toBe('Comparing 3 records …')
    progress.note('1.0 MB of 2.0 MB sent')
    pass(5)
    expect(line()).toBe('Comparing 3 records … 1.0 MB of 2.0 MB sent, 5 s')
    progress.step('Exporting')
    expect(line()).toBe('Exporting …')
    progress.clear()
    expect({ line: line(), ticking: isTicking() }).toEqual({ line: '', ticking: false })
    progress.note('too late')
    expect(line()).toBe('')
  })

  it('the line is never longer than the terminal is wide', () => {
    const { progress, line } = session({}, true, 20)
    progress.step('Comparing 100,000 records')
    expect(line()).toBe('Comparing 100,000 r')
  })
})

it('in a CI job a long step is a line every ten seconds, and a short one none', () => {
  const { progress, pass, written } = session({ CI: 'true' }, false)
  progress.step('Reading models')
  pass(9)
  progress.step('Comparing 3 records')
  pass(25)
  progress.clear()
  pass(100)
  expect(written()).toBe('Comparing 3 records … 10 s\nComparing 3 records … 20 s\n')
})

it('elsewhere nothing is written, and no clock runs', () => {
  const { progress, pass, written, isTicking } = session({}, false)
  progress.step('Comparing')
  pass(60)
  expect({ written: written(), ticking: isTicking() }).toEqual({ written: '', ticking: false })
})

it('a request that takes long on its way says how much is gone, how fast, and that the platform has it', async () => {
  const { progress, io, pass, line } = session({}, true)
  const lines: (string | undefined)[] = []
  // A line that takes 512 KB in a second.
  const fetch = async (request: Request) => {
    let taken = 0
    for await (const chunk of request.body ?? []) {
      taken += chunk.length
      if (taken % 524_288 < chunk.length) pass(1)
      lines.push(line())
    }
    lines.push(line())
    return Response.json({ data: { a: 'y'.repeat(600_000) } })
  }
  const transfer = tellTransfer((how) => progress.note(how), io.now)
  const { signal } = new AbortController()
  const request = graphqlClient({
    url: 'http://localhost/',
    bearer: fixedBearer('t'),
    fetch,
    signal,
    now: io.now,
    transfer,
  })
  progress.step('Comparing 9 records')
  await request('query { a }', { list: new WrittenJson(() => [Buffer.from(`"${'x'.repeat(2_000_000)}"`)]) })
  expect(lines).toContainEqual(
    expect.stringMatching(/^Comparing 9 records … 1\.[1-9] MB of 2\.0 MB sent \(0\.\d MB\/s\), 2 s$/),
  )
  expect(lines.at(-1)).toBe('Comparing 9 records … 2.0 MB sent, waiting for the platform, 3 s')
  expect(line()).toBe('Comparing 9 records … 0.6 MB of the answer received, 3 s')
})
