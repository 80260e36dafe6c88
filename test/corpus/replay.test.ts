import { describe, expect, test } from 'vitest'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import type { Digest } from '../../src/lib/digest.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { compareDocuments } from './compare.ts'
import { readCorpus } from './frozen.ts'
import { countsOf } from './plan-counts.ts'
import { context, useDomain } from '../support/one-database.ts'

// Hundreds of real devices, and the same devices some releases later.

const { previous, current } = readCorpus()

describe.each(SAMPLED_DATABASES)('two releases of a device library on $name', ({ openMigrated }) => {
  let applied: string
  let digest: Digest

  useDomain({ openMigrated })

  test('the first plan creates all that the document lists', async () => {
    const first = await plan(context, previous)
    expect(countsOf(first, previous)).toMatchObject(compareDocuments({}, previous))
    expect(first.diagnostics).toEqual([])
  })

  test('once applied nothing is left to do, for its export either', async () => {
    await applyAll(context, previous)
    expect((await plan(context, previous)).changes).toEqual([])
    expect((await plan(context, await exportDocument(context, null))).changes).toEqual([])
  })

  test('the next release plans to exactly what differs', async () => {
    const next = await plan(context, current)
    expect(countsOf(next, current)).toMatchObject(compareDocuments(previous, current))
    digest = next.digest
  })

  test('once that is applied nothing is left to do', async () => {
    applied = (await applyAll(context, current)).uuid
    expect((await plan(context, current)).changes).toEqual([])
  })

  test(
    'rolled back, the release before is as it was, and the same plan leads to the next',
    { timeout: 180_000 },
    async () => {
      const settings = acknowledging((await planRollback(context, applied, NO_SETTINGS)).plan)
      const inverse = (await planRollback(context, applied, settings)).plan
      await applyImport(context, { document: {}, settings, plan: inverse, origin: { rollbackOf: applied } })
      expect((await plan(context, previous)).changes).toEqual([])
      expect((await plan(context, current)).digest).toBe(digest)
    },
  )
})
