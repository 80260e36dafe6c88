import * as fc from 'fast-check'
import { escapePart } from '../../../src/lib/pointer.ts'
import type { Move } from '../../../src/records/settings.ts'
import type { Body } from '../../support/random-values.ts'
import type { Model } from '../../support/valid-model.ts'

/** The fields with the code of a record of each type, and the lists of records that nest it. */
const PLACES = {
  characteristics: { link: 'characteristicCode', within: 'services' },
  services: { link: 'serviceCode', within: 'componentModels' },
  componentModels: { link: 'componentModelCode', within: null },
  eventModels: { link: null, within: null },
} as const

type Renamed = keyof typeof PLACES
const TYPES: readonly Renamed[] = ['characteristics', 'services', 'componentModels', 'eventModels']

/** Renames some of the records that a document keeps, with all that refers to them. */
export function renamesArbitrary(before: Model, after: Model): fc.Arbitrary<{ model: Model; moved: readonly Move[] }> {
  const kept = TYPES.flatMap((type) => {
    const codes = new Set((before[type] ?? []).map(({ code }) => code))
    return (after[type] ?? []).flatMap(({ code }) =>
      typeof code === 'string' && codes.has(code) ? [{ type, code, to: `new-${type}-${code}` }] : [],
    )
  })
  return fc.subarray(kept).map((chosen) => ({
    model: chosen.reduce(renamed, after),
    moved: chosen.map(({ type, code, to }) => ({ type, from: escapePart(code), to: escapePart(to) })),
  }))
}

function renamed(model: Model, { type, code, to }: { type: Renamed; code: string; to: string }): Model {
  const { link, within } = PLACES[type]
  const replaced = (body: Body, field: string): Body => (body[field] === code ? { ...body, [field]: to } : body)
  const lists = Object.entries(model).map(([name, list]: [string, readonly Body[]]) => [
    name,
    list.map((record) => {
      const own = name === type ? replaced(record, 'code') : link === null ? record : replaced(record, link)
      const nested = own[type]
      return name === within && Array.isArray(nested)
        ? { ...own, [type]: nested.map((one: Body) => replaced(one, 'code')) }
        : own
    }),
  ])
  return Object.fromEntries(lists) as Model
}
