import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { listChangePages } from '../../../src/platform/imports/history/change-pages.ts'
import { listApplyChanges } from '../../../src/platform/imports/history/applies.ts'
import { findChanges } from '../../../src/platform/imports/history/change-list.ts'
import { applyChangeList } from '../../../src/platform/imports/history/changes-of-apply.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { lastChanges, recordHistory } from '../../../src/platform/records/record-history.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { applyAll } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'

const domain = oneDomain()

const CODES = Array.from({ length: 2_500 }, (_, number) => `s${String(number).padStart(5, '0')}`)
/** The numbers of changes before pages, which end in other parts than they begin. */
const PAGES = [0, 995, 2_490]
const RECORD = { type: 'dataSources', key: 's02400' } as const

function sources(codes: readonly string[], name = 'Source'): object {
  return { dataSources: codes.map((code) => ({ code, name })) }
}

/** All that is told of what applies did. */
async function toldOf(context: DomainContext, uuids: readonly string[]) {
  const lists = await Promise.all(uuids.map((uuid) => applyChangeList(context, uuid)))
  return {
    outlines: lists.map(({ outline }) => outline),
    found: await Promise.all(lists.map((list) => findChanges(list, { search: 's02', at: 1_500, first: 700 }))),
    all: await Promise.all(uuids.map((uuid) => listApplyChanges(context, uuid))),
    pages: await Promise.all(PAGES.map((offset) => listChangePages(context, uuids, { first: 1_010, offset }))),
    history: await recordHistory(context, RECORD, null),
    last: await lastChanges(context, [RECORD, { type: 'dataSources', key: 's00001' }]),
    rollback: (await planRollback(context, uuids.at(-1) ?? '', NO_SETTINGS)).plan,
  }
}

it(
  'applies of releases that kept no outline tell all that they did, and can be rolled back',
  { timeout: 180_000 },
  async () => {
    const context = domain()
    const applies = [await applyAll(context, sources(CODES)), await applyAll(context, sources(CODES, 'Renamed'))]
    applies.push(
      await applyAll(
        context,
        sources(
          CODES.filter((code) => code !== RECORD.key),
          'Renamed',
        ),
      ),
    )
    const uuids = applies.map(({ uuid }) => uuid)
    const expected = await toldOf(context, uuids)
    expect(expected.all.map(({ length }) => length)).toStrictEqual([2_500, 2_500, 1])
    expect(expected.rollback.summary).toMatchObject({ create: 1 })
    const first = expected.all[0] ?? []
    expect(expected.pages.map((page) => page.get(uuids[0] ?? ''))).toMatchObject(
      PAGES.map((offset) => ({
        size: 2_500,
        changes: first.slice(offset, offset + 1_010).map(({ key }) => ({ key })),
      })),
    )
    const {
      database,
      domain: { id },
    } = context
    await database.statement('delete from apply_changes where domain_id = $1 and part = 0', [id])
    await database.statement('update apply_changes set part = -part where domain_id = $1', [id])
    await database.statement('update apply_changes set part = -part - 1 where domain_id = $1', [id])
    expect(await toldOf(context, uuids)).toStrictEqual(expected)
  },
)

it('the changes of an apply in a form that is not known are refused, and not taken for none', async () => {
  const context = domain()
  const { uuid } = await applyAll(context, sources(['a']))
  const packed = gzipSync(JSON.stringify({ form: 3 }))
  const where = 'where domain_id = $1 and apply_uuid = $2::uuid and part = 0'
  await context.database.statement(`update apply_changes set packed = $3 ${where}`, [context.domain.id, uuid, packed])
  const refusal = { code: 'CONFLICT', message: expect.stringContaining('a form that this release') as string }
  await expect(listApplyChanges(context, uuid)).rejects.toMatchObject(refusal)
  await expect(applyChangeList(context, uuid)).rejects.toMatchObject(refusal)
  await expect(planRollback(context, uuid, NO_SETTINGS)).rejects.toMatchObject(refusal)
  await expect(recordHistory(context, { type: 'dataSources', key: 'a' }, null)).rejects.toMatchObject(refusal)
})
