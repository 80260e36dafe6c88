import { isDeepStrictEqual } from 'node:util'
import { bodyOf, recordsOf, withoutUnset } from './compare-bodies.ts'
import type { AnyDocument, Body } from './compare-bodies.ts'
import { linkBodies, ownerLinks } from './compare-links.ts'
import type { LinkSpelling } from './compare-links.ts'

// What a plan should count when a platform that was filled from one document is given the next one. Written from the
// specification without any code of src/, slowly and plainly, so that it can be held against the planner.

export interface Counts {
  readonly create: number
  readonly update: number
  readonly delete: number
  readonly unchanged: number
}

const IDENTITIES: { readonly [type: string]: (body: Body) => string } = {
  applicationConsumers: ({ slug }) => String(slug),
  characteristics: ({ code }) => String(code),
  componentModels: ({ code }) => String(code),
  dataSources: ({ code }) => String(code),
  eventModels: ({ code }) => String(code),
  machineUsers: ({ username }) => String(username),
  metadataTypes: ({ entityType, key }) => JSON.stringify([entityType, key]),
  services: ({ code }) => String(code),
  organizations: ({ alias, name }) => String(alias ?? name),
  users: ({ email }) => String(email).toLowerCase(),
}

const LINKS = {
  characteristicServiceLinks: {
    owners: 'services',
    embedded: 'characteristics',
    owner: 'serviceCode',
    other: 'characteristicCode',
  },
  serviceComponentModelLinks: {
    owners: 'componentModels',
    embedded: 'services',
    owner: 'componentModelCode',
    other: 'serviceCode',
  },
} as const

const NOTHING: Counts = { create: 0, update: 0, delete: 0, unchanged: 0 }

/** By record type. Links that are written inside a service or component model count as links, not as changes of it. */
export function compareDocuments(before: AnyDocument, after: AnyDocument): { [type: string]: Counts } {
  const records = Object.entries(IDENTITIES).map(([type, identify]) => [
    type,
    compareRecords(type, identify, before, after),
  ])
  const links = Object.entries(LINKS).map(([type, spelling]) => [type, compareLinks(type, spelling, before, after)])
  return Object.fromEntries([...records, ...links]) as { [type: string]: Counts }
}

function compareRecords(
  type: string,
  identify: (body: Body) => string,
  before: AnyDocument,
  after: AnyDocument,
): Counts {
  if (after[type] === undefined) return NOTHING
  const old = new Map(recordsOf(before, type).map((body) => [identify(body), bodyOf(type, body)]))
  const now = new Map(recordsOf(after, type).map((body) => [identify(body), bodyOf(type, body)]))
  return count(old, now)
}

/** Where the top-level key is absent, only the links of owners with a list of their own are managed, or deleted with it. */
function compareLinks(type: string, spelling: LinkSpelling, before: AnyDocument, after: AnyDocument): Counts {
  const old = linkBodies(type, spelling, before)
  const now = linkBodies(type, spelling, after)
  if (after[type] !== undefined) return count(old, now)
  const managed = ownerLinks(spelling, before, after)
  return count(
    new Map([...old].filter(([, link]) => managed(String(link[spelling.owner]), String(link[spelling.other])))),
    now,
  )
}

function count(old: ReadonlyMap<string, Body>, now: ReadonlyMap<string, Body>): Counts {
  const kept = [...now].filter(([key]) => old.has(key))
  const unchanged = kept.filter(([key, body]) => isUnchanged(old.get(key) ?? {}, body)).length
  return {
    create: now.size - kept.length,
    update: kept.length - unchanged,
    delete: [...old.keys()].filter((key) => !now.has(key)).length,
    unchanged,
  }
}

/** A key without a default that the new body leaves out keeps its old value (absent is unmanaged). */
function isUnchanged(old: Body, body: Body): boolean {
  return isDeepStrictEqual(withoutUnset({ ...old, ...body }), withoutUnset(old))
}
