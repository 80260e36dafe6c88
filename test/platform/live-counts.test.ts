import { expect, it } from 'vitest'
import { differenceOf } from '../../src/documents/base-document.ts'
import { fitMarkdown } from '../../src/plan/render/markdown/fit-markdown.ts'
import { planImport, READS_ALL } from '../../src/platform/imports/planning/plan-import.ts'
import { NO_SETTINGS } from '../../src/records/settings.ts'
import { applyAll } from '../support/domain.ts'
import { rowOf } from '../support/plan-parts.ts'
import { validPlan } from '../support/valid-plan.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()

const sources = (...codes: readonly string[]) => ({ dataSources: codes.map((code) => ({ code })) })

it('the scope of a pull request’s plan counts what the platform has now, not what waits', async () => {
  await applyAll(domain(), sources('a', 'b'))
  const base = { ...sources('a', 'b', 'c', 'd', 'e'), services: [{ code: 's', name: 'S' }] }
  const document = { ...base, ...sources('a', 'b', 'c', 'd', 'e', 'f') }
  const sent = { document: differenceOf(document, base), settings: NO_SETTINGS }
  const { plan } = await planImport(domain(), document, NO_SETTINGS, READS_ALL, { base: sent })
  expect(validPlan(plan).own).toMatchObject({ waiting: { count: 4 } })
  expect(rowOf(plan, 'dataSources')).toMatchObject({ desired: 6, actual: 5, live: 2 })
  expect(fitMarkdown(plan)).toContain('| dataSources | managed (0 files, 6 records) | 6 | 2 |')
  expect(fitMarkdown(plan)).toContain('| services | managed (0 files, 1 record) | 1 | 0 |')
})
