import * as fc from 'fast-check'
import type { JsonObject } from '../../src/lib/json.ts'
import type { RecordTypeName } from '../../src/records/record-type.ts'
import { NO_SETTINGS, type Move, type Settings } from '../../src/records/settings.ts'

// Small models for two clients that work on one domain. Every model manages the same record types and draws from the
// same few records, so that the clients often meet and often do not.

/** For each place of the pool which variant of its record the model holds; 0 is none. */
export type Model = readonly number[]

interface Place {
  readonly type: ModelType
  readonly key: string
}
type ModelType =
  | 'characteristics'
  | 'services'
  | 'componentModels'
  | 'dataSources'
  | 'organizations'
  | 'users'
  | 'applicationConsumers'

const SIZES: { readonly [type in ModelType]: number } = {
  applicationConsumers: 2,
  characteristics: 5,
  componentModels: 2,
  dataSources: 5,
  services: 3,
  organizations: 2,
  users: 3,
}

export const POOL: readonly Place[] = Object.entries(SIZES).flatMap(([type, size]) =>
  Array.from({ length: size }, (_, number): Place => ({
    type: type as ModelType,
    key: keyAt(type as ModelType, number),
  })),
)

function keyAt(type: ModelType, number: number): string {
  return type === 'users' ? `user${number}@example.org` : `${type.slice(0, 4)}-${number}`
}

const variant = fc.integer({ min: 0, max: 3 })

export const modelArbitrary: fc.Arbitrary<Model> = fc.array(variant, { minLength: POOL.length, maxLength: POOL.length })

/** The same model after a few edits. */
export function editedArbitrary(model: Model): fc.Arbitrary<Model> {
  const edit = fc.tuple(fc.nat(POOL.length - 1), variant)
  return fc
    .array(edit, { minLength: 1, maxLength: 4 })
    .map((edits) => edits.reduce((edited, [place, value]) => edited.with(place, value), model))
}

/** The last of these is in every document, so that all documents manage their links, whichever way they spell them. */
const KEPT: readonly string[] = [
  keyAt('services', SIZES.services - 1),
  keyAt('componentModels', SIZES.componentModels - 1),
]

/** How the documents of a scene spell links: inside of their owners, or as lists of their own. */
export type Spelling = 'embedded' | 'listed'

/** The import document of a model; the variant says what a record is called and what it refers to. */
export function toDocument(
  drawn: Model,
  spelling: Spelling,
): { readonly [type in RecordTypeName]?: readonly JsonObject[] } {
  const model = POOL.map(({ key }, index) => drawn[index] || (KEPT.includes(key) ? 1 : 0))
  const present = new Set(POOL.filter((_, index) => model[index] !== 0).map(({ key }) => key))
  const document: { readonly [type in ModelType]: JsonObject[] } = {
    applicationConsumers: [],
    characteristics: [],
    componentModels: [],
    dataSources: [],
    services: [],
    organizations: [],
    users: [],
  }
  for (const [index, place] of POOL.entries()) {
    const value = model[index] ?? 0
    if (value !== 0) document[place.type].push(BODIES[place.type](place.key, value, (key) => present.has(key)))
  }
  return spelling === 'embedded' ? document : withListedLinks(document)
}

function withListedLinks({
  services,
  componentModels,
  ...others
}: { readonly [type in ModelType]: readonly JsonObject[] }) {
  return {
    ...others,
    services: services.map(({ characteristics: _, ...service }) => service),
    componentModels: componentModels.map(({ services: _, ...model }) => model),
    characteristicServiceLinks: linksOf(services, 'serviceCode', 'characteristics', 'characteristicCode'),
    serviceComponentModelLinks: linksOf(componentModels, 'componentModelCode', 'services', 'serviceCode'),
  }
}

function linksOf(owners: readonly JsonObject[], ownerField: string, list: string, field: string): JsonObject[] {
  return owners.flatMap((owner) =>
    (owner[list] as readonly JsonObject[]).map(({ code }) => ({
      [ownerField]: owner['code'] ?? null,
      [field]: code ?? null,
    })),
  )
}

type MakeBody = (key: string, variant: number, present: (key: string) => boolean) => JsonObject

const BODIES: { readonly [type in ModelType]: MakeBody } = {
  applicationConsumers: (slug, n) => ({
    slug,
    name: slug,
    secret: `Zt7Kq${n}wYm4Xc9Rb2Lv${n}Hd6Pf8`,
    grantTypes: ['PASSWORD'],
  }),
  characteristics: (code, n) => ({ code, name: `${code} ${n}`, characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }),
  componentModels: (code, n, present) => ({
    code,
    name: code,
    componentType: 'DEVICE',
    services: some('services', n, present),
  }),
  dataSources: (code, n) => ({ code, name: `${code} ${n}` }),
  services: (code, n, present) => ({ code, name: code, characteristics: some('characteristics', n, present) }),
  organizations: (alias, n) => ({ alias, name: `${alias} ${n}` }),
  users: (email, n, present) => {
    const alias = keyAt('organizations', n - 1)
    return { email, name: null, organization: present(alias) ? { alias } : null }
  },
}

function some(type: ModelType, variant: number, present: (key: string) => boolean): JsonObject[] {
  const numbers = Array.from({ length: SIZES[type] }, (_, number) => number)
  return numbers
    .filter((number) => (number + variant) % 3 !== 0)
    .map((number) => keyAt(type, number))
    .filter(present)
    .map((code) => ({ code }))
}

/** Renames in the document what it describes newly and no longer describes, where there is such a pair. */
export function movesBetween(before: Model, after: Model): Settings {
  const moved: Move[] = []
  for (const type of ['characteristics', 'dataSources'] as const) {
    const places = POOL.map((place, index) => ({ ...place, before: before[index], after: after[index] })).filter(
      (place) => place.type === type,
    )
    const from = places.find((place) => place.before !== 0 && place.after === 0)
    const to = places.find((place) => place.before === 0 && place.after !== 0)
    if (from !== undefined && to !== undefined) moved.push({ type, from: from.key, to: to.key })
  }
  return { ...NO_SETTINGS, moved }
}

/** A change of one record by somebody on the platform. */
export interface SingleChange {
  readonly kind: 'create' | 'update' | 'delete'
  readonly type: RecordTypeName
  readonly key: string
  readonly input: JsonObject
}

export const singleChangeArbitrary: fc.Arbitrary<SingleChange> = fc
  .record({
    kind: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
    place: fc.constantFrom(...POOL),
    value: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ kind, place: { type, key }, value }) => ({
    kind,
    type,
    key,
    input: BODIES[type](key, value, () => kind !== 'create'),
  }))
