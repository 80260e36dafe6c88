import { expect, test } from 'vitest'
import { applyAll, plan } from '../support/domain.ts'
import { storedRecord } from '../support/plan-parts.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()

/** A SELECT unless it says otherwise. */
function mode(more: object = {}): object {
  return {
    characteristics: [{ code: 'mode', name: 'Mode', characteristicType: 'SETTING', dataType: 'SELECT', ...more }],
  }
}

const OPTIONS = [{ key: 'auto', label: 'Automatic' }]

test('options that a document leaves out stay as they are on the platform', async () => {
  await applyAll(domain(), mode({ options: OPTIONS }))
  await applyAll(domain(), mode({ name: 'Operating mode' }))
  const { body } = await storedRecord(domain(), 'characteristics', 'mode')
  expect(body).toMatchObject({ name: 'Operating mode', options: [{ key: 'auto' }] })
})

test.each([
  ['a new SELECT', {}],
  ['what becomes a SELECT', mode({ dataType: 'STRING' })],
])('%s may have no options, and the plan warns', async (_, before) => {
  await applyAll(domain(), before)
  const planned = await plan(domain(), mode())
  expect(planned.outcome).toBe('changes')
  expect(planned.diagnostics).toMatchObject([
    { severity: 'warning', code: 'options-missing', pointer: '/characteristics/0/options' },
  ])
})

test('an empty list of options is told once, and stored', async () => {
  expect((await plan(domain(), mode({ options: [] }))).diagnostics).toMatchObject([{ code: 'options-missing' }])
  const input = { code: 'mode', name: 'Mode', characteristicType: 'SETTING', dataType: 'SELECT' }
  await createRecord(domain(), 'characteristics', input, [])
  expect((await plan(domain(), mode({ options: [] }))).outcome).toBe('no-changes')
})
