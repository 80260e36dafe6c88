import type { Rule } from './clean-rule.ts'
import type { ComponentModel, CorpusDocument, MetadataItem, Organization } from './document.ts'

export const IDENTITY_RULES: { readonly [name: string]: Rule } = {
  'repeated-metadata-key': (draft) => {
    let count = 0
    for (const model of draft.componentModels) {
      const items = joinRepeated(model.metadataKeyValueStore)
      if (items.length < model.metadataKeyValueStore.length) count += 1
      model.metadataKeyValueStore = items
    }
    return count
  },
  'vendor-spelling': (draft) => {
    const vendors = [...Map.groupBy(draft.organizations, ({ alias }) => alias).values()].map(mergeVendors)
    const merged = draft.organizations.length - vendors.length
    draft.organizations = vendors
    return merged
  },
  'clashing-event-code': (draft) => numberClashes(draft.eventModels).size,
  'clashing-model-code': (draft) => {
    const renamed = numberClashes(draft.componentModels)
    draft.serviceComponentModelLinks.push(...linksOfRenamed(draft, renamed))
    return renamed.size
  },
  'repeated-link': (draft) => {
    const { serviceComponentModelLinks: links } = draft
    const seen = new Set(draft.componentModels.flatMap(embeddedLinkKeys))
    draft.serviceComponentModelLinks = links.filter(({ serviceCode, componentModelCode }) => {
      const key = linkKey(serviceCode, componentModelCode)
      return seen.has(key) ? false : Boolean(seen.add(key))
    })
    return links.length - draft.serviceComponentModelLinks.length
  },
}

function joinRepeated(items: readonly MetadataItem[]): MetadataItem[] {
  return [...Map.groupBy(items, ({ key }) => key)].flatMap(([key, same]) => {
    const [first] = same
    if (first === undefined || same.length === 1) return same
    const values = new Set(same.map(({ value }) => String(value)).filter((value) => value !== ''))
    return [{ key, value: [...values].join(' | ') }]
  })
}

/** The first spelling stays and gets what the others had. */
function mergeVendors(spellings: readonly Organization[]): Organization {
  const [first] = spellings
  if (first === undefined || spellings.length === 1) return first as Organization
  const units = spellings.flatMap(({ organizationUnits }) => organizationUnits)
  const count = spellings.flatMap(({ metadataKeyValueStore }) => metadataKeyValueStore).reduce(addCount, 0)
  return {
    ...first,
    metadataKeyValueStore: [{ key: 'model-count', value: { integer: count } }],
    organizationUnits: [...new Map(units.map((unit) => [unit.alias, unit])).values()],
  }
}

function addCount(sum: number, { value }: MetadataItem): number {
  return typeof value === 'object' && value !== null && 'integer' in value ? sum + value.integer : sum
}

/** The first record keeps a code; the next ones get `-2`, `-3` … Gives the renamed records with their former code. */
function numberClashes<T extends { code: string }>(records: readonly T[]): Map<T, string> {
  const taken = new Set(records.map(({ code }) => code))
  const seen = new Set<string>()
  const renamed = new Map<T, string>()
  for (const record of records) {
    if (seen.has(record.code)) {
      renamed.set(record, record.code)
      record.code = freeCode(record.code, taken)
    }
    seen.add(record.code)
    taken.add(record.code)
  }
  return renamed
}

function freeCode(code: string, taken: ReadonlySet<string>): string {
  let number = 2
  while (taken.has(`${code}-${number}`)) number += 1
  return `${code}-${number}`
}

/** A link names a code, so it cannot tell which of the clashing models it meant: each of them gets it. */
function linksOfRenamed(
  draft: CorpusDocument,
  renamed: ReadonlyMap<ComponentModel, string>,
): CorpusDocument['serviceComponentModelLinks'] {
  const links = Map.groupBy(draft.serviceComponentModelLinks, ({ componentModelCode }) => componentModelCode)
  return [...renamed].flatMap(([{ code, services }, former]) =>
    services !== undefined ? [] : (links.get(former) ?? []).map((link) => ({ ...link, componentModelCode: code })),
  )
}

function embeddedLinkKeys({ code, services }: ComponentModel): string[] {
  return (services ?? []).map((service) => linkKey(service.code, code))
}

function linkKey(serviceCode: string, componentModelCode: string): string {
  return `${serviceCode}/${componentModelCode}`
}
