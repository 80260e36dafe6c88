import { expect, it } from 'vitest'
import { INT8, oneOf } from '../../../../src/db/columns.ts'
import { KINDS } from '../../../../src/datapoints/chunks/flush.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { Exports } from '../../../../src/platform/datapoints/export/exports.ts'
import { ANY_DATABASE } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { makeSite } from '../../../support/site.ts'

it('a file on the only connection is refused before its first piece, where more has just arrived than is read', async () => {
  const database = { ...(await ANY_DATABASE.openMigrated()), isSingle: true }
  const context = await makeDomain(database)
  const site = await makeSite(context)
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const stored = await datapoints.ingest.add(who, [site.point('temperature', 1, 1_760_000_000_000)])
  expect(stored).toMatchObject({ stored: 1 })
  await database.statement(`update datapoints_hot set points = decode(repeat('00', 134217729), 'hex')`)
  const file = new Exports(database).open(
    {
      domainId: context.domain.id,
      account: 'a',
      units: null,
      find: async (sql) => {
        const shape = { seriesId: INT8, kind: oneOf(KINDS) }
        return {
          found: null,
          series: await sql.rows(shape, 'select id as "seriesId", value_kind as kind from series order by id'),
        }
      },
      to: Number.MAX_SAFE_INTEGER,
    },
    async function* () {
      yield Uint8Array.of(1)
    },
  )
  await expect(file[Symbol.asyncIterator]().next()).rejects.toThrow(/bytes of these datapoints have just arrived/)
  await database.statement('truncate datapoints_hot')
  await datapoints.close()
  await database.close()
})
