import { slug } from './codes.ts'
import type { DeviceDefinition } from './definitions.ts'
import type { ComponentModel, CorpusDocument, MetadataItem } from './document.ts'

type Models = Pick<CorpusDocument, 'componentModels' | 'serviceComponentModelLinks'>
type ServicesOf = ReadonlyMap<DeviceDefinition, readonly string[]>

/** Devices carry their services inside; the same devices sold under another name are linked at the top level. */
export function componentModelsOf(definitions: readonly DeviceDefinition[], servicesOf: ServicesOf): Models {
  const models: Models = { componentModels: [], serviceComponentModelLinks: [] }
  for (const definition of definitions) {
    const services = (servicesOf.get(definition) ?? []).map((code, index) => ({ code, index }))
    models.componentModels.push({ ...deviceModel(definition), services })
    for (const model of whiteLabelModels(definition)) {
      models.componentModels.push(model)
      models.serviceComponentModelLinks.push(
        ...services.map(({ code, index }) => ({ serviceCode: code, componentModelCode: model.code, index })),
      )
    }
  }
  return models
}

function deviceModel(definition: DeviceDefinition): ComponentModel {
  const { module, model, vendor, description, ota } = definition
  return {
    ...namedModel(vendor, model, description),
    metadataKeyValueStore: [
      ...identityMetadata(vendor, model),
      { key: 'data-source', value: `definitions-${module}` },
      { key: 'over-the-air-updates', value: Boolean(ota) },
      { key: 'option-count', value: { integer: definition.options.length } },
      ...repeated('zigbee-model', zigbeeModelsOf(definition)),
      ...repeated('manufacturer-name', manufacturerNamesOf(definition)),
    ],
  }
}

function whiteLabelModels(definition: DeviceDefinition): ComponentModel[] {
  return (definition.whiteLabel ?? []).map(({ vendor = definition.vendor, model, description }) => ({
    ...namedModel(vendor, model, description ?? definition.description),
    metadataKeyValueStore: [
      ...identityMetadata(vendor, model),
      { key: 'white-label-of', value: `${definition.vendor} ${definition.model}` },
    ],
  }))
}

function namedModel(vendor: string, model: string, description: string): Omit<ComponentModel, 'metadataKeyValueStore'> {
  const gateway = /\b(gateway|coordinator|bridge)\b/i.test(description)
  return {
    code: slug(`${vendor} ${model}`),
    name: `${vendor} ${model}`,
    description,
    componentType: gateway ? 'GATEWAY' : 'DEVICE',
    ...(/\b(router|repeater|extender)\b/i.test(description) && { isConnective: true }),
  }
}

function identityMetadata(vendor: string, model: string): MetadataItem[] {
  return [
    { key: 'vendor', value: vendor },
    { key: 'model', value: model },
  ]
}

function repeated(key: string, values: readonly string[]): MetadataItem[] {
  return [...new Set(values)].map((value) => ({ key, value }))
}

function zigbeeModelsOf({ zigbeeModel, fingerprint }: DeviceDefinition): string[] {
  return [...(zigbeeModel ?? []), ...(fingerprint ?? []).flatMap(({ modelID }) => modelID ?? [])]
}

function manufacturerNamesOf({ fingerprint }: DeviceDefinition): string[] {
  return (fingerprint ?? []).flatMap(({ manufacturerName }) => manufacturerName ?? [])
}
