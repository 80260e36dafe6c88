import { slug } from './codes.ts'
import type { DeviceDefinition } from './definitions.ts'
import { componentModelsOf } from './device-models.ts'
import type { CorpusDocument, EventModel } from './document.ts'
import { METADATA_TYPES } from './metadata-types.ts'
import { organizationsOf } from './vendors.ts'
import { collectServices } from './device-services.ts'

/**
 * Several thousand real devices as one import document, just as a converter in a hurry would write it: whatever is
 * odd in the source (NUL bytes, clashing codes, five spellings of °C) is still in it. `cleanDocument` repairs that.
 */
export function rawDocument(definitions: readonly DeviceDefinition[]): CorpusDocument {
  const { characteristics, services, characteristicServiceLinks, servicesOf } = collectServices(definitions)
  const { componentModels, serviceComponentModelLinks } = componentModelsOf(definitions, servicesOf)
  return {
    metadataTypes: [...METADATA_TYPES],
    dataSources: dataSourcesOf(definitions),
    characteristics,
    services,
    characteristicServiceLinks,
    componentModels,
    serviceComponentModelLinks,
    eventModels: eventModelsOf(definitions),
    organizations: organizationsOf(definitions),
  }
}

function dataSourcesOf(definitions: readonly DeviceDefinition[]): CorpusDocument['dataSources'] {
  const modules = [...new Set(definitions.map(({ module }) => module))]
  return modules.map((module) => ({
    code: `definitions-${module}`,
    name: `Device definitions of ${module}`,
    reference: `https://github.com/Koenkk/zigbee-herdsman-converters/blob/master/src/devices/${module}.ts`,
  }))
}

function eventModelsOf(definitions: readonly DeviceDefinition[]): EventModel[] {
  const actions = definitions.flatMap(({ exposes }) =>
    exposes.filter(({ name }) => name === 'action').flatMap(({ values }) => (values ?? []).map(String)),
  )
  return [...new Set(actions)].map(eventModelOf)
}

function eventModelOf(action: string): EventModel {
  const level = eventLevelOf(action)
  return {
    code: slug(action),
    eventType: /hold|long|move|rotate/.test(action) ? 'RANGED' : 'SINGLE_POINT',
    entityType: 'COMPONENT',
    ...(level !== undefined && { eventLevel: level }),
    message: `The device reports the action "${action}"`,
    metadataKeyValueStore: [{ key: 'action', value: { string: action } }],
  }
}

function eventLevelOf(action: string): 'ERROR' | 'WARNING' | undefined {
  if (/emergency|sos|panic|alarm/.test(action)) return 'ERROR'
  return /tamper|low|invalid|failed/.test(action) ? 'WARNING' : undefined
}
