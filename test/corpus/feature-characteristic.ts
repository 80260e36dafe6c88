import { contentHash, slug } from './codes.ts'
import type { Feature } from './definitions.ts'
import type { Characteristic, MetadataItem, Option } from './document.ts'
import { isWhole, schemaOf } from './feature-schema.ts'

/** The groups of features that become the services of a component model, in this order. */
export const CATEGORIES = ['state', 'action', 'config', 'diagnostic', 'options'] as const
export type Category = (typeof CATEGORIES)[number]

// Bits of `access` in zigbee-herdsman-converters.
const MAY_SET = 2

/** A light or a thermostat is a bundle of features: only what is in it carries values. */
export function valueFeatures(feature: Feature): readonly Feature[] {
  const bundle = ['light', 'switch', 'lock', 'cover', 'climate', 'fan'].includes(feature.type)
  return bundle ? (feature.features ?? []).flatMap(valueFeatures) : [feature]
}

export function propertyOf(feature: Feature): string {
  return feature.property ?? feature.name ?? ''
}

/** Everything of a feature but its description, which may be reworded without making it another characteristic. */
export function characteristicOf(feature: Feature, category: Category): Characteristic {
  const property = propertyOf(feature)
  const content = {
    name: feature.label ?? property,
    characteristicType: ((feature.access ?? 0) & MAY_SET) === 0 ? ('MEASUREMENT' as const) : ('SETTING' as const),
    ...valuesOf(feature),
    metadataKeyValueStore: metadataOf(property, category),
  }
  return { code: `${slug(property)}-${contentHash(content)}`, description: feature.description ?? null, ...content }
}

function metadataOf(property: string, category: Category): MetadataItem[] {
  return [
    { key: 'property', value: property },
    { key: 'category', value: category },
  ]
}

type Values = Omit<Characteristic, 'code' | 'name' | 'characteristicType' | 'metadataKeyValueStore'>

function valuesOf(feature: Feature): Values {
  switch (feature.type) {
    case 'numeric':
      return numericValues(feature)
    case 'binary':
      return binaryValues(feature)
    case 'enum':
      return { dataType: 'SELECT', options: (feature.values ?? []).map((value) => optionOf(value)) }
    case 'composite':
      return { dataType: 'JSON', schema: schemaOf(feature) }
    case 'list':
      // The other spelling of a schema that the specification allows.
      return { dataType: 'JSON', schema: JSON.stringify(schemaOf(feature)) }
    default:
      return { dataType: 'STRING' }
  }
}

function numericValues({ unit, value_min: min, value_max: max, value_step: step }: Feature): Values {
  const whole = isWhole(step)
  return {
    dataType: whole ? 'INTEGER' : 'FLOAT',
    ...(unit !== undefined && { symbol: unit }),
    ...(min !== undefined && { boundaryMin: min }),
    ...(max !== undefined && { boundaryMax: max }),
    ...(step !== undefined && { boundaryStep: step }),
    ...(step !== undefined && !whole && { precision: String(step).split('.')[1]?.length ?? 0 }),
  }
}

function binaryValues({ value_on: on, value_off: off, value_toggle: toggle }: Feature): Values {
  if (typeof on === 'boolean' && typeof off === 'boolean') return { dataType: 'BOOLEAN' }
  const roles = { on, off, toggle }
  const options = Object.entries(roles).flatMap(([role, value]) => (value === undefined ? [] : [optionOf(value, role)]))
  return { dataType: 'SELECT', options }
}

function optionOf(value: string | number | boolean, role?: string): Option {
  const key = String(value)
  const option = { key, label: key.replaceAll('_', ' ') }
  return role === undefined ? option : { ...option, meta: [{ key: 'role', value: role }] }
}
