import type { Feature } from './definitions.ts'
import type { Plain } from './document.ts'

/** Whether a step keeps whole numbers whole; no step says nothing about it. */
export function isWhole(step: number | undefined): boolean {
  return step !== undefined && Number.isInteger(step)
}

/** The JSON Schema of a composite or list: what the values of a feature look like. */
export function schemaOf(feature: Feature): Plain {
  switch (feature.type) {
    case 'composite':
      return { type: 'object', properties: Object.fromEntries((feature.features ?? []).map(propertySchema)) }
    case 'list':
      return {
        type: 'array',
        ...(feature.item_type !== undefined && { items: schemaOf(feature.item_type) }),
        ...(feature.length_min !== undefined && { minItems: feature.length_min }),
        ...(feature.length_max !== undefined && { maxItems: feature.length_max }),
      }
    case 'numeric':
      return numericSchema(feature)
    case 'binary':
      return { enum: [feature.value_on ?? true, feature.value_off ?? false] }
    case 'enum':
      return { enum: [...(feature.values ?? [])] }
    default:
      return { type: 'string' }
  }
}

function propertySchema(feature: Feature): [string, Plain] {
  return [feature.property ?? feature.name ?? '', schemaOf(feature)]
}

function numericSchema({ value_min: min, value_max: max, value_step: step }: Feature): Plain {
  return {
    type: isWhole(step) ? 'integer' : 'number',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }
}
