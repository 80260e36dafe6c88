import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchEvent, type PullRequest } from '../workflows/events.ts'
import { modelFile, startWorld, WORKFLOW, type World } from '../workflows/world.ts'
import { dumpTables } from '../support/table-dump.ts'

// Two pull requests that are well alone, and not together. What Git merges without a word, the second apply refuses.

const STORY = { timeout: 240_000 }

let world: World
beforeAll(async () => {
  world = await startWorld()
  const { pull } = await world.propose('beginning', { 'models/b.yaml': file({}) })
  await world.merge(pull)
}, STORY.timeout)
afterAll(() => world.close())

/** One line for each field, so that Git merges changes of two of them. */
function file(fields: { readonly name?: string; readonly symbol?: string }): string {
  const { name = 'Temperature', symbol = '°C' } = fields
  return `characteristics:
  - code: b
    name: ${name}
    characteristicType: MEASUREMENT
    dataType: FLOAT
    symbol: ${symbol}
`
}

function last(number: number): string {
  return world.github.comments(number).at(-1)?.body ?? ''
}

/** All but who has signed in. */
async function tables(): Promise<object> {
  const { artifacts: _, ...others } = await dumpTables(world.server.context.database)
  return others
}

describe('two pull requests change one record', STORY, () => {
  let first: PullRequest
  let second: PullRequest

  it('and both plans are well', async () => {
    const [one, other] = [
      await world.propose('rename', { 'models/b.yaml': file({ name: 'Room temperature' }) }),
      await world.propose('symbol', { 'models/b.yaml': file({ symbol: 'K' }) }),
    ]
    ;[first, second] = [one.pull, other.pull]
    for (const { run } of [one, other]) expect(run.jobs['plan/plan']).toMatchObject({ result: 'success' })
  })

  it('in the merge queue the second, behind the first, is told by name', async () => {
    const ahead = await world.queue(first)
    expect(ahead.run.jobs['plan/plan']).toMatchObject({ result: 'success' })
    const { run } = await world.queue(second, ahead.group)
    expect(run.jobs['plan/plan']).toMatchObject({ result: 'failure' })
    expect(run.jobs['plan/plan']?.log).toMatch(/^error: a record is not as the reviewed plan saw it/m)
    expect(run.jobs['plan/plan']?.log).toMatch(/^ {2}characteristics\/b: .*changed since the plan was made/m)
  })

  it('the first one is applied, the second one refused, and the platform is as it was', async () => {
    expect((await world.merge(first)).jobs['apply/apply']).toMatchObject({ result: 'success' })
    const before = await tables()
    const refused = await world.merge(second)
    expect(refused.jobs['apply/apply']).toMatchObject({ result: 'failure' })
    expect(refused.jobs['apply/apply']?.log).toContain('characteristics/b')
    expect(await tables()).toStrictEqual(before)
  })

  it('the merged pull request says which record, and what to do', () => {
    expect(last(second.number)).toMatch(/^### ❌ Not applied/)
    expect(last(second.number)).toContain('**Nothing was changed on the platform.**')
    expect(last(second.number)).toContain('characteristics/b')
    expect(last(second.number)).toMatch(/#### What to do\n/)
  })

  it('which a run by hand does, and the job that was refused finds nothing left to do', async () => {
    const { jobs } = await world.runner.run(WORKFLOW, dispatchEvent(world.git.tip('main')))
    expect(jobs['apply/review']?.summary).toMatch(/^### Plan: 1 to update/)
    expect(jobs['apply/reconcile']).toMatchObject({ result: 'success' })
    expect((await world.applyAgain(second)).jobs['apply/apply']).toMatchObject({ result: 'success' })
    expect(last(second.number)).toMatch(/^### ✅ Applied: nothing was left to do/)
    expect(await world.ask('{ characteristic(code: "b") { name symbol } }')).toEqual({
      characteristic: { name: 'Room temperature', symbol: 'K' },
    })
  })
})

// own-part.test.ts applies one while another waits.
describe('pull requests that change different records', STORY, () => {
  it('are applied once: a job that runs again does not restore what another one has undone', async () => {
    const { pull } = await world.propose('e', modelFile('e'))
    const merged = await world.merge(pull)
    expect(merged.jobs['apply/apply']?.log).toMatch(/^Applied: 1 record created/m)
    const before = await tables()
    const again = await world.applyAgain(pull)
    expect(again.jobs['apply/apply']).toMatchObject({ result: 'success' })
    expect(again.jobs['apply/apply']?.log).toMatch(/^Applied before: apply /m)
    expect(await tables()).toStrictEqual(before)

    const undone = await world.merge((await world.propose('without-e', { 'models/e.yaml': null })).pull)
    expect(undone.jobs['apply/apply']?.log).toMatch(/^Applied: 1 record deleted/m)
    const late = await world.applyAgain(pull)
    expect(late.jobs['apply/apply']).toMatchObject({ result: 'success' })
    expect(late.jobs['apply/apply']?.log).toMatch(/^Applied before: apply /m)
    expect(await world.ask('{ characteristic(code: "e") { name } }')).toEqual({ characteristic: null })

    const back = await world.merge((await world.propose('e-again', modelFile('e'))).pull)
    expect(back.jobs['apply/apply']?.log).toMatch(/^Applied: 1 record created/m)
  })
})
