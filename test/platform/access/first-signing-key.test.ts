import { expect, it } from 'vitest'
import type { AccessContext } from '../../../src/platform/access/access-context.ts'
import { signingKeys } from '../../../src/platform/access/keys/signing-keys.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { POSTGRES } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { database, useDatabase } from '../../support/one-database.ts'

useDatabase(POSTGRES)

/** The same platform in another process, of which a statement that begins so is known, and waits, before it runs. */
function processOf(context: AccessContext, beginnings: readonly string[], opened?: Promise<void>) {
  const reached = Promise.withResolvers<void>()
  const counting = countingDatabase(database, async ({ text }) => {
    if (!beginnings.some((beginning) => text.trimStart().startsWith(beginning))) return
    reached.resolve()
    await opened
  })
  return { context: { ...context, database: counting }, reached: reached.promise }
}

it('two processes that make the first key at the same moment make one', async () => {
  const domain = await makeDomain(database)
  const open = Promise.withResolvers<void>()
  const first = processOf(domain, ['insert into signing_keys'], open.promise)
  const second = processOf(domain, ['select pg_advisory_xact_lock', 'insert into signing_keys'])
  const keysOfFirst = signingKeys(first.context)
  await first.reached
  const keysOfSecond = signingKeys(second.context)
  await second.reached
  open.resolve()
  const [one, other] = await Promise.all([keysOfFirst, keysOfSecond])
  expect(other.published.map(({ kid }) => kid)).toStrictEqual(one.published.map(({ kid }) => kid))
  expect(one.published).toHaveLength(1)
})
