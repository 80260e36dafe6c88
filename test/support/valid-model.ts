import { isObject, type Json } from '../../src/lib/json.ts'
import { DOCUMENT_TYPE_NAMES, type DocumentTypeName } from '../../src/records/record-type.ts'
import { fitMetadata } from './valid-metadata.ts'
import type { Body } from './random-values.ts'

/** An import document. */
export type Model = { readonly [type in DocumentTypeName]?: readonly Body[] }

/**
 * Makes a document valid with as few changes as possible: unique identities, references within it, one index for each
 * link, metadata that fits. If the document does not manage metadata types, those of `before` count.
 */
export function makeValid(model: Model, before: Model = {}): Model {
  const unique = mapTypes(model, (type, records) => uniqueRecords(type, records))
  const referring = mapTypes(unique, (type, records) => records.flatMap((record) => resolve(type, record, unique)))
  return fitMetadata(oneIndexForEachLink(referring), unique.metadataTypes ?? before.metadataTypes ?? [])
}

export function mapTypes(
  model: Model,
  change: (type: DocumentTypeName, records: readonly Body[]) => readonly Body[],
): Model {
  const present = DOCUMENT_TYPE_NAMES.filter((type) => model[type] !== undefined)
  return Object.fromEntries(present.map((type) => [type, change(type, model[type] ?? [])]))
}

const IDENTITIES: { readonly [type in DocumentTypeName]: readonly string[] } = {
  applicationConsumers: ['slug'],
  characteristics: ['code'],
  characteristicServiceLinks: ['characteristicCode', 'serviceCode'],
  componentModels: ['code'],
  dataSources: ['code'],
  eventModels: ['code'],
  machineUsers: ['username'],
  metadataTypes: ['entityType', 'key'],
  services: ['code'],
  serviceComponentModelLinks: ['serviceCode', 'componentModelCode'],
  organizations: ['alias'],
  users: ['email'],
}

export function identityFields(type: DocumentTypeName): readonly string[] {
  return type === 'organizations' ? ['alias', 'name'] : IDENTITIES[type]
}

function identityOf(type: DocumentTypeName, record: Body): string {
  if (type === 'organizations') return unitIdentity(record)
  return JSON.stringify(IDENTITIES[type].map((field) => String(record[field]))).toLowerCase()
}

function unitIdentity({ alias, name }: Body): string {
  return String(alias ?? name)
}

function uniqueRecords(type: DocumentTypeName, records: readonly Body[]): readonly Body[] {
  if (type === 'organizations') return uniqueUnits(records)
  return firstOfEach(records, (record) => identityOf(type, record)).map(giveRedirectUri)
}

function firstOfEach(records: readonly Body[], identify: (record: Body) => string): Body[] {
  return [...Map.groupBy(records, identify).values()].flatMap((same) => same.slice(0, 1))
}

function uniqueUnits(units: readonly Body[]): Body[] {
  return firstOfEach(units, unitIdentity).map((unit) => {
    const below = unit['organizationUnits'] === undefined ? 'directChildren' : 'organizationUnits'
    return unit[below] === undefined ? unit : { ...unit, [below]: uniqueUnits(unit[below] as readonly Body[]) }
  })
}

/** AUTHORIZATION_CODE needs a redirect URI (semantics, section 4). */
function giveRedirectUri(record: Body): Body {
  const needed = (record['grantTypes'] as readonly Json[] | undefined)?.includes('AUTHORIZATION_CODE')
  if (!needed || typeof record['defaultRedirectUri'] === 'string') return record
  const uris = record['redirectUris'] as readonly Json[] | null | undefined
  return (uris ?? []).length > 0 ? record : { ...record, redirectUris: ['https://portal.example/callback'] }
}

const LISTS: { readonly [type in DocumentTypeName]?: { field: string; target: DocumentTypeName } } = {
  services: { field: 'characteristics', target: 'characteristics' },
  componentModels: { field: 'services', target: 'services' },
}

const LINK_ENDS: { readonly [field: string]: DocumentTypeName } = {
  characteristicCode: 'characteristics',
  serviceCode: 'services',
  componentModelCode: 'componentModels',
}

/** Points a reference without a record to another record, or removes it if there is none. */
function resolve(type: DocumentTypeName, record: Body, model: Model): Body[] {
  const ends = Object.keys(LINK_ENDS).filter((field) => field in record)
  if (ends.length > 0) {
    const found = ends.map((field) => [field, target(record[field], codesOf(model, LINK_ENDS[field]))] as const)
    return found.every(([, code]) => code !== undefined) ? [{ ...record, ...(Object.fromEntries(found) as Body) }] : []
  }
  const list = LISTS[type]
  if (list !== undefined && record[list.field] !== undefined)
    return [resolveList(record, list.field, codesOf(model, list.target))]
  return type === 'users' && isObject(record['organization']) ? [resolveOrganization(record, model)] : [record]
}

function resolveList(record: Body, field: string, codes: readonly string[]): Body {
  const links = (record[field] as readonly Body[]).flatMap((link) => {
    const code = target(link['code'], codes)
    return code === undefined ? [] : [{ ...link, code }]
  })
  return { ...record, [field]: firstOfEach(links, ({ code }) => String(code)) }
}

function resolveOrganization(record: Body, model: Model): Body {
  const aliases = (model.organizations ?? []).flatMap(({ alias }) => (typeof alias === 'string' ? [alias] : []))
  const { alias } = record['organization'] as Body
  return typeof alias === 'string' ? { ...record, organization: { alias: target(alias, aliases) ?? null } } : record
}

function codesOf(model: Model, type: DocumentTypeName | undefined): string[] {
  return type === undefined ? [] : (model[type] ?? []).map(({ code }) => String(code))
}

function target(wanted: Json | undefined, codes: readonly string[]): string | undefined {
  return codes.find((code) => code === wanted) ?? codes[String(wanted).length % codes.length]
}

/**
 * A link may be written twice, but not with two different indexes. Repairing references may also make two links
 * equal.
 */
function oneIndexForEachLink(model: Model): Model {
  const indexes = new Map<string, Json>()
  const agree = (serviceCode: Json | undefined, modelCode: Json | undefined, link: Body): Body => {
    const key = JSON.stringify([serviceCode, modelCode])
    if (!indexes.has(key)) indexes.set(key, link['index'] ?? 0)
    return { ...link, index: indexes.get(key) ?? 0 }
  }
  return mapTypes(model, (type, records) => {
    if (type === 'characteristicServiceLinks') return firstOfEach(records, (link) => identityOf(type, link))
    if (type === 'serviceComponentModelLinks') {
      const links = firstOfEach(records, (link) => identityOf(type, link))
      return links.map((link) => agree(link['serviceCode'], link['componentModelCode'], link))
    }
    if (type !== 'componentModels') return records
    return records.map((record) => {
      const services = record['services'] as readonly Body[] | undefined
      if (services === undefined) return record
      return { ...record, services: services.map((link) => agree(link['code'], record['code'], link)) }
    })
  })
}
