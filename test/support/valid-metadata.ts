import { isObject, type Json } from '../../src/lib/json.ts'
import type { RecordTypeName } from '../../src/records/record-type.ts'
import type { Body } from './random-values.ts'
import { mapTypes, type Model } from './valid-model.ts'

const ENTITIES: { readonly [type in RecordTypeName]?: string } = {
  characteristics: 'CHARACTERISTIC',
  componentModels: 'COMPONENT_MODEL',
  eventModels: 'EVENT_MODEL',
  organizations: 'ORGANIZATION',
  services: 'SERVICE',
  users: 'USER',
}

const TAGS: { readonly [dataType: string]: string } = {
  BOOLEAN: 'boolean',
  FLOAT: 'float',
  INTEGER: 'integer',
  STRING: 'string',
  TIMESTAMP: 'timestamp',
  UUID: 'uuid',
}

const SAMPLES: { readonly [dataType: string]: Json } = {
  BOOLEAN: true,
  FLOAT: 0.5,
  INTEGER: 7,
  STRING: 'text',
  TIMESTAMP: '2024-02-29T12:00:00Z',
  UUID: '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c',
}

/** Repairs metadata: each key occurs once in a record, each value fits its MetadataType, and unique values differ. */
export function fitMetadata(model: Model, types: readonly Body[]): Model {
  const fitting = new Fitting(types)
  return mapTypes(model, (type, records) => {
    const entity = ENTITIES[type]
    return entity === undefined ? records : records.map((record) => fitting.record(record, entity))
  })
}

class Fitting {
  readonly #types: ReadonlyMap<string, Body>
  readonly #used = new Set<string>()

  constructor(types: readonly Body[]) {
    this.#types = new Map(types.map((type) => [`${String(type['entityType'])}/${String(type['key'])}`, type]))
  }

  record(record: Body, entity: string): Body {
    const fitted: { [key: string]: Json } = { ...record }
    if (record['metadataKeyValueStore'] !== undefined) {
      fitted['metadataKeyValueStore'] = this.#items(record['metadataKeyValueStore'] as readonly Body[], entity)
    }
    for (const below of ['organizationUnits', 'directChildren']) {
      const units = record[below] as readonly Body[] | undefined
      if (units !== undefined) fitted[below] = units.map((unit) => this.record(unit, 'ORGANIZATION_UNIT'))
    }
    return fitted
  }

  #items(items: readonly Body[], entity: string): Body[] {
    const once = new Map(items.map((item) => [item['key'], item]))
    return [...once.values()].map((item) => this.#item(item, entity))
  }

  #item(item: Body, entity: string): Body {
    const use = `${entity}/${String(item['key'])}`
    const type = this.#types.get(use)
    if (type === undefined) return item
    const dataType = String(type['dataType'])
    const value = fits(item['value'] ?? null, dataType) ? (item['value'] ?? null) : (SAMPLES[dataType] ?? null)
    return { ...item, value: type['unique'] === true ? this.#unusedValue(value, dataType, use) : value }
  }

  #unusedValue(value: Json, dataType: string, use: string): Json {
    const plain = value === null ? (SAMPLES[dataType] ?? null) : plainOf(value)
    let candidate = plain
    for (let number = 1; this.#used.has(`${use}=${String(candidate)}`); number += 1) {
      candidate = typeof plain === 'number' ? plain + number : `${String(plain)}-${number}`
    }
    this.#used.add(`${use}=${String(candidate)}`)
    return candidate === plain && value !== null ? value : candidate
  }
}

function fits(value: Json, dataType: string): boolean {
  if (value === null) return true
  if (isObject(value)) return Object.keys(value)[0] === TAGS[dataType]
  if (dataType === 'INTEGER') return Number.isInteger(value)
  // A plain text would be read as neither an instant nor a UUID, so these two are only written with their tag.
  return typeof value === { BOOLEAN: 'boolean', FLOAT: 'number', STRING: 'string' }[dataType]
}

function plainOf(value: Json): Json {
  return isObject(value) ? (Object.values(value)[0] as Json) : value
}
