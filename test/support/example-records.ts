import type { JsonObject } from '../../src/lib/json.ts'
import { keyOf } from '../../src/records/identity.ts'
import { recordType } from '../../src/records/registry.ts'
import type { DocumentTypeName } from '../../src/records/record-type.ts'
import type { Model } from './valid-model.ts'

/** A secret that is long enough to be compared fast. The comparison of weak secrets is slow by design. */
export function strongSecret(name: string): string {
  return `${name}-8Kd02mfPq71LxZr5Tn3vWy9B`
}

const EXAMPLES: { readonly [type in DocumentTypeName]: (name: string) => JsonObject } = {
  applicationConsumers: (name) => ({ name, slug: name, secret: strongSecret(name), grantTypes: ['PASSWORD'] }),
  characteristics: (name) => ({ code: name, name, characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }),
  characteristicServiceLinks: (name) => ({ characteristicCode: name, serviceCode: 'climate' }),
  componentModels: (name) => ({ code: name, name, componentType: 'DEVICE' }),
  dataSources: (name) => ({ code: name }),
  eventModels: (name) => ({ code: name, eventType: 'RANGED', entityType: 'COMPONENT' }),
  machineUsers: (name) => ({ username: name, password: strongSecret(name) }),
  metadataTypes: (name) => ({ key: name, entityType: 'SYSTEM', dataType: 'STRING' }),
  services: (name) => ({ code: name, name }),
  serviceComponentModelLinks: (name) => ({ serviceCode: name, componentModelCode: 'heat-pump' }),
  organizations: (name) => ({ name }),
  users: (name) => ({ email: `${name}@example.org` }),
}

/** A record with nothing but its required fields. */
export function example(type: DocumentTypeName, name: string): JsonObject {
  return EXAMPLES[type](name)
}

/** The key of that record. */
export function exampleKey(type: DocumentTypeName, name: string): string {
  return keyOf(recordType(type), example(type, name))
}

export function examples(type: DocumentTypeName, names: readonly string[]): JsonObject[] {
  return names.map((name) => example(type, name))
}

/** The records that the examples of a type refer to, as a separate document. It is empty for most types. */
export function endsOf(type: DocumentTypeName, names: readonly string[]): Model {
  if (type === 'characteristicServiceLinks') {
    return { characteristics: examples('characteristics', names), services: examples('services', ['climate']) }
  }
  if (type === 'serviceComponentModelLinks') {
    return { services: examples('services', names), componentModels: examples('componentModels', ['heat-pump']) }
  }
  return {}
}
