import { describe, expect, test } from 'vitest'
import { renderText } from '../../src/plan/render/text/render-text.ts'
import { examples } from '../support/example-records.ts'
import { codesOf, rowOf } from '../support/plan-parts.ts'
import { planAgainst } from './plan-against.ts'

// Semantics, section 1: what a document leaves alone is always shown, also below the level of record types.

const characteristics = [{ code: 't', name: 'T', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }]
const listing = (code: string) => ({ code, name: code, characteristics: [{ code: 't' }] })
const silent = (code: string) => ({ code, name: code })

describe('a list that vanishes from its record', () => {
  const before = {
    characteristics,
    services: [listing('a'), listing('b')],
    organizations: [{ name: 'o', organizationUnits: [{ name: 'u', directChildren: [{ name: 'v' }] }] }],
  }
  const after = { characteristics, services: [listing('a'), silent('b')], organizations: [{ name: 'o' }] }

  test('leaves the links of its owner alone, and the scope counts them', async () => {
    expect(rowOf(await planAgainst(before, after), 'characteristicServiceLinks')).toMatchObject({
      owners: 1,
      untouched: 1,
    })
  })

  test('leaves the units below alone, and the scope counts them', async () => {
    expect(rowOf(await planAgainst(before, after), 'organizations')).toMatchObject({
      desired: 1,
      actual: 3,
      untouched: 2,
    })
  })

  test('is in the verdict of a plan without changes', async () => {
    const text = renderText(await planAgainst(before, after), { color: false, width: 200, next: null })
    expect(text).toMatch(/^No changes\. .* 3 records of lists that are not written out are untouched\.$/)
  })

  test('is not mentioned where nothing is left alone', async () => {
    expect(rowOf(await planAgainst(before, before), 'organizations')).not.toHaveProperty('untouched')
  })
})

test('links that go with their service count for mass-delete', async () => {
  const codes = Array.from({ length: 6 }, (_, index) => `c${index}`)
  const many = examples('characteristics', codes)
  const linked = { code: 's', name: 's', characteristics: codes.map((code) => ({ code })) }
  const plan = await planAgainst(
    { characteristics: many, services: [linked] },
    { characteristics: many, services: [silent('other')] },
  )
  expect(codesOf(rowOf(plan, 'characteristicServiceLinks'))).toContain('mass-delete')
})
