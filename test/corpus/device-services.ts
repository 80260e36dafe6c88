import { contentHash } from './codes.ts'
import type { DeviceDefinition, Feature } from './definitions.ts'
import type { Characteristic, CorpusDocument, Service } from './document.ts'
import { CATEGORIES, characteristicOf, valueFeatures } from './feature-characteristic.ts'
import type { Category } from './feature-characteristic.ts'

/** Links of these services are written at the top level of the document, the others inside the service. */
const LINKED_AT_TOP_LEVEL: readonly Category[] = ['diagnostic', 'options']

interface Collected extends Pick<CorpusDocument, 'characteristics' | 'services' | 'characteristicServiceLinks'> {
  /** The codes of a device's services, in the order of their index. */
  readonly servicesOf: ReadonlyMap<DeviceDefinition, readonly string[]>
}

interface Draft {
  readonly characteristics: Map<string, Characteristic>
  readonly services: Map<string, Service>
  readonly links: CorpusDocument['characteristicServiceLinks']
}

/** Every distinct feature once, every distinct set of features once. */
export function collectServices(definitions: readonly DeviceDefinition[]): Collected {
  const draft: Draft = { characteristics: new Map(), services: new Map(), links: [] }
  const servicesOf = new Map(definitions.map((definition) => [definition, addServices(draft, definition)]))
  return {
    characteristics: [...draft.characteristics.values()],
    services: [...draft.services.values()],
    characteristicServiceLinks: draft.links,
    servicesOf,
  }
}

function addServices(draft: Draft, definition: DeviceDefinition): string[] {
  const features = Map.groupBy(definition.exposes.flatMap(valueFeatures), categoryOf)
  features.set('options', definition.options.flatMap(valueFeatures))
  return CATEGORIES.flatMap((category) => {
    const found = features.get(category) ?? []
    return found.length === 0 ? [] : [addService(draft, category, found)]
  })
}

function categoryOf({ name, category }: Feature): Category {
  return name === 'action' ? 'action' : (category ?? 'state')
}

function addService(draft: Draft, category: Category, features: readonly Feature[]): string {
  const characteristics = features.map((feature) => characteristicOf(feature, category))
  for (const characteristic of characteristics) {
    if (!draft.characteristics.has(characteristic.code)) draft.characteristics.set(characteristic.code, characteristic)
  }
  const codes = [...new Set(characteristics.map(({ code }) => code))].sort()
  const code = `${category}-${contentHash(codes)}`
  if (!draft.services.has(code)) {
    draft.services.set(code, serviceOf(code, category, characteristics, codes))
    if (isLinkedAtTopLevel(category)) {
      draft.links.push(...codes.map((characteristicCode) => ({ characteristicCode, serviceCode: code })))
    }
  }
  return code
}

function isLinkedAtTopLevel(category: Category): boolean {
  return LINKED_AT_TOP_LEVEL.includes(category)
}

function serviceOf(code: string, category: Category, content: readonly Characteristic[], codes: string[]): Service {
  return {
    code,
    name: nameOf(category, [...new Set(content.map(({ name }) => name))]),
    metadataKeyValueStore: [
      { key: 'category', value: category },
      { key: 'characteristic-count', value: { integer: codes.length } },
    ],
    ...(!isLinkedAtTopLevel(category) && {
      characteristics: codes.map((characteristic) => ({ code: characteristic })),
    }),
  }
}

function nameOf(category: Category, names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return `${category}: ${names.slice(0, 3).join(', ')}${more}`
}
