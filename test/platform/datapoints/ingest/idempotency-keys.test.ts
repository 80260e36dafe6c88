import { beforeEach, describe, expect, it } from 'vitest'
import { ChangeSignals } from '../../../../src/platform/change-signals.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import type {
  IngestContext,
  IngestOptions,
  IngestResult,
} from '../../../../src/platform/datapoints/ingest/sent-batch.ts'
import { updateRecord } from '../../../../src/platform/records/change-record.ts'
import { updateComponent } from '../../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../../src/platform/systems/reach.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { DATABASES } from '../../../support/databases.ts'
import { type SentPoint } from '../../../support/site.ts'
import { historyOf } from '../history.ts'
import { context, database, sender, serve, site, useSite } from '../../one-site.ts'

const NOON = 1_760_000_000_000

/** The options of a batch that is sent with a key. */
function keyed(key: string, digest = 1): IngestOptions {
  return { idempotency: { key, digest: Uint8Array.of(digest) } }
}

async function temperatures() {
  return (await historyOf(context))['Sensor 0 temperature']
}

const temperature = (value: unknown, at?: number): SentPoint => site.point('temperature', value, at)

function add(
  to: Datapoints,
  elements: readonly unknown[],
  options: IngestOptions = {},
  who: Partial<IngestContext> = {},
): Promise<IngestResult> {
  return to.ingest.add({ ...sender, ...who }, elements, options)
}

describe.each(DATABASES)('a batch with an Idempotency-Key on $name', (kind) => {
  /** Two servers. */
  let first: Datapoints
  let second: Datapoints
  let signals: string[]

  useSite({ kind, isAlone: false })
  beforeEach(() => {
    const changes = new ChangeSignals()
    signals = []
    changes.listen((_, topic) => signals.push(topic))
    first = serve({ changes })
    second = serve({ changes })
  })

  it('is stored once: its retry gets the same answer, replaces nothing newer and wakes nobody, on any server', async () => {
    const batch = [temperature(1, NOON), temperature(2)]
    const answer = await add(first, batch, keyed('a'))
    await add(first, [temperature(3, NOON)])
    const [before, woken] = [await temperatures(), signals.length]
    for (const server of [first, second]) expect(await add(server, batch, keyed('a'))).toStrictEqual(answer)
    expect(await temperatures()).toStrictEqual(before)
    await first.compactor.compact()
    for (const server of [first, second]) expect(await add(server, batch, keyed('a'))).toStrictEqual(answer)
    expect(await temperatures()).toStrictEqual(before)
    expect(before?.map(([, value]) => value)).toStrictEqual([3, 2])
    expect(signals).toHaveLength(woken)
    expect(first.load.stored + second.load.stored).toBe(3)
  })

  it('keeps the answer whatever the model says by then', async () => {
    const percent = [site.point('percent', 50, NOON), site.point('percent', 50, NOON, 1)]
    const answer = await add(first, percent, keyed('a'))
    const lenient = await add(first, [...percent, temperature('warm')], { ...keyed('b'), lenient: true })
    expect(lenient).toMatchObject({ stored: 2, errorCount: 1, errors: [{ pointer: '/2/value', code: 'wrong-type' }] })
    const twice = await add(first, [temperature(1, NOON), temperature(2, NOON)], keyed('c'))
    expect(twice).toMatchObject({ stored: 1, overwritten: 1 })
    await updateRecord(context, 'characteristics', 'percent', { boundaryMax: 40 }, ['invalidates-data'])
    await updateComponent(context, EVERYWHERE, site.componentUuids[1] ?? '', { status: 'ARCHIVED' })
    for (const server of [first, second]) {
      expect(await add(server, percent)).toMatchObject({ stored: 0, errorCount: 2 })
      expect(await add(server, percent, keyed('a'))).toStrictEqual(answer)
      expect(await add(server, percent, { ...keyed('b'), lenient: true })).toStrictEqual(lenient)
      expect(await add(server, percent, keyed('c'))).toStrictEqual(twice)
    }
  })

  it('leaves its key free where it is refused, and is refused where the key names another one of its sender', async () => {
    expect(await add(first, [temperature('warm')], keyed('a', 1))).toMatchObject({ stored: 0, errorCount: 1 })
    expect(await add(first, [temperature(1)], keyed('a', 2))).toMatchObject({ stored: 1 })
    for (const server of [first, second])
      await expect(add(server, [temperature(2)], keyed('a', 3))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await add(second, [temperature(3)], keyed('a', 3), { actor: 'another' })).toMatchObject({ stored: 1 })
    expect((await temperatures())?.map(([, value]) => value)).toStrictEqual([1, 3])
  })

  it('is stored once where it comes many times at once, beside others that are stored', async () => {
    const servers = [first, second, first, second, first, second]
    const before = await add(first, [temperature(0)], keyed('before'))
    const retries = servers.map((server) => add(server, [temperature(0)], keyed('before')))
    const same = servers.map((server) => add(server, [temperature(1)], keyed('a')))
    const others = servers.map((server, index) => add(server, [temperature(10 + index)], keyed(`b ${index}`)))
    const unkeyed = servers.map((server, index) => add(server, [temperature(20 + index)]))
    for (const answer of await Promise.all(retries)) expect(answer).toStrictEqual(before)
    const [answer, ...again] = await Promise.all(same)
    for (const one of again) expect(one).toStrictEqual(answer)
    await Promise.all([...others, ...unkeyed])
    const values = (await temperatures())?.map(([, value]) => Number(value)).sort((a, b) => a - b)
    expect(values).toStrictEqual([0, 1, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25])
  })

  it('is answered by present rights: a sender who was looked up before a change of rights is looked up again', async () => {
    await add(first, [temperature(1)], keyed('a'))
    const refused = new Error('revoked')
    let looks = 0
    const access = { version: -2, again: () => (looks++, Promise.reject(refused)) }
    for (const digest of [1, 2])
      await expect(add(second, [temperature(1)], keyed('a', digest), { access })).rejects.toBe(refused)
    const again = async (): Promise<IngestContext> => ({
      domainId: context.domain.id,
      actor: 'tester',
      systemUuid: null,
      units: null,
      access: { version: second.accessVersion(context.domain.id), again: () => Promise.reject(refused) },
    })
    const looked = await add(second, [temperature(1)], keyed('a'), { access: { version: null, again } })
    expect(looked).toMatchObject({ stored: 1 })
    expect(looks).toBe(2)
  })

  it('is stored again when its key is a day old', async () => {
    await add(first, [temperature(1)], keyed('a'))
    await add(first, [temperature(1)], keyed('b'))
    await database.statement(`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'a'`)
    await first.tidy()
    for (const key of ['a', 'b']) await add(first, [temperature(1)], keyed(key))
    expect(await temperatures()).toHaveLength(3)
  })

  it('of an earlier release, which may not have stored it, is stored under the time that is remembered', async () => {
    await database.statement(
      `insert into idempotency_keys (domain_id, actor, key, digest, at, created_at) values ($1, 'tester', 'a', '\\x01', $2, now())`,
      [context.domain.id, NOON * 1_000],
    )
    await expect(add(first, [temperature(1)], keyed('a', 2))).rejects.toMatchObject({ code: 'CONFLICT' })
    const answer = await add(first, [temperature(1)], keyed('a'))
    expect(await add(second, [temperature(1)], keyed('a'))).toStrictEqual(answer)
    expect(await temperatures()).toStrictEqual([[NOON * 1_000, 1]])
  })

  it('takes one statement more, and one without a key none', async () => {
    const counting = countingDatabase(database)
    const counted = new Datapoints({ ...context, database: counting, isAlone: false })
    await add(counted, [temperature(1)])
    const statementsOf = async (options: IngestOptions): Promise<readonly string[]> => {
      const before = counting.statements.length
      await add(counted, [temperature(2)], options)
      return counting.statements.slice(before).filter((text) => !text.startsWith('set local'))
    }
    const flush = expect.stringContaining('store_flush') as string
    const lookUp = expect.stringContaining('from idempotency_keys') as string
    expect(await statementsOf({})).toStrictEqual([flush])
    expect(await statementsOf(keyed('a'))).toStrictEqual([lookUp, flush])
    expect(await statementsOf(keyed('a'))).toStrictEqual([lookUp])
    await counted.close()
  })
})
