import {
  block,
  docComment,
  intersectionMember,
  literalText,
  objectMember,
  propertyName,
  unionMember,
} from '../../lib/type-text.ts'
import { dataTypeOf, enforcedBoundary } from '../../records/data-types/data-type.ts'
import { splitKey } from '../../records/identity.ts'
import type { ClientFields, RecordBody, RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { CLIENT_MODEL, METADATA_ENTITIES, offerOf, supportOf } from '../../records/types/client-model.ts'
import type { Snapshot } from '../snapshot.ts'

/** The first line of the types. A file without it is not replaced. */
export const CLIENT_TYPES_MARK = '// Written by "holdfast types". Do not edit.'

export interface ClientTypes {
  readonly text: string
  /** The `type/key` of records that the document links and does not describe. Their types are unknown. */
  readonly unknown: readonly string[]
}

/**
 * Writes what the records are for a client as types of TypeScript. A characteristic is described once, and services and
 * component models refer to it. So the text grows with the document, and not with the number of paths through its links.
 */
export function clientTypes(snapshot: Snapshot): ClientTypes {
  const model = new ClientModel(snapshot)
  const sections = [
    [CLIENT_TYPES_MARK],
    model.characteristics(),
    model.services(),
    [
      '/** The data model, for the client of Holdfast. */',
      'export interface Model {',
      ...block('readonly componentModels:', model.componentModels(), '  '),
      ...block('readonly eventModels:', model.eventModels(), '  '),
      ...block('readonly metadata:', model.metadata(), '  '),
      '}',
    ],
  ]
  return { text: `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`, unknown: model.unknown }
}

type Bodies = ReadonlyMap<string, RecordBody>

class ClientModel {
  readonly unknown: string[] = []
  readonly #snapshot: Snapshot
  /** The services of each component model, and the characteristics of each service. */
  readonly #offered: ReadonlyMap<string, readonly string[]>
  readonly #supported: ReadonlyMap<string, readonly string[]>

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
    const offers = this.#keys(CLIENT_MODEL.offer).map(offerOf)
    const supports = this.#keys(CLIENT_MODEL.support).map(supportOf)
    this.#offered = grouped(offers.map(({ model, service }) => [model, service]))
    this.#supported = grouped(supports.map(({ service, value }) => [service, value]))
  }

  characteristics(): string[] {
    const linked = [...this.#supported.values()].flat()
    const lines = this.#members(
      CLIENT_MODEL.value,
      linked,
      (key, body) => {
        const fields = body === null ? UNKNOWN_FIELDS : fieldsOf(CLIENT_MODEL.value, body)
        return objectMember(propertyName(key), [...fields], '  ')
      },
      '  ',
      valueText,
    )
    return ['/** The characteristics, by their keys. */', ...block('export interface Characteristics', lines, '')]
  }

  services(): string[] {
    const linked = [...this.#offered.values()].flat()
    const lines = this.#members(
      CLIENT_MODEL.service,
      [...this.#supported.keys(), ...linked],
      (key) => {
        const members = (this.#supported.get(key) ?? []).map(
          (value) => `    readonly ${propertyName(`${key}/${value}`)}: Characteristics[${literalText(value)}]`,
        )
        return block(`readonly ${propertyName(key)}:`, members, '  ')
      },
      '  ',
    )
    return [
      '/** The characteristics of each service, by their paths. */',
      ...block('export interface Services', lines, ''),
    ]
  }

  componentModels(): string[] {
    return this.#members(
      CLIENT_MODEL.model,
      [...this.#offered.keys()],
      (key) => {
        const services = (this.#offered.get(key) ?? []).map((service) => `Services[${literalText(service)}]`)
        return intersectionMember(propertyName(key), services, '    ')
      },
      '    ',
    )
  }

  eventModels(): string[] {
    return this.#members(
      CLIENT_MODEL.event,
      [],
      (key, body) => objectMember(propertyName(key), [...fieldsOf(CLIENT_MODEL.event, body ?? {})], '    '),
      '    ',
    )
  }

  metadata(): string[] {
    const types = this.#bodies(CLIENT_MODEL.metadata)
    const byEntity = Map.groupBy([...types.keys()].sort(), (key) => splitKey(key)[0])
    return Object.keys(METADATA_ENTITIES).flatMap((entity) => {
      const members = (byEntity.get(entity) ?? []).flatMap((key) => {
        const body = types.get(key) ?? {}
        const fields = [...fieldsOf(CLIENT_MODEL.metadata, body).values()]
        const name = propertyName(splitKey(key)[1] ?? '')
        return [
          ...docComment([textOf(body['description'])], null, '      '),
          ...fields.flatMap((type) => unionMember(name, type, '      ')),
        ]
      })
      return block(`readonly ${entity}:`, members, '    ')
    })
  }

  /** The members for records of a type and for others that are only linked, sorted, each with its comment. */
  #members(
    type: RecordTypeName,
    linked: readonly string[],
    linesOf: (key: string, body: RecordBody | null) => readonly string[],
    indent: string,
    titleOf: (body: RecordBody) => string = nameOf,
  ): string[] {
    const bodies = this.#bodies(type)
    return [...new Set([...bodies.keys(), ...linked])].sort().flatMap((key) => {
      const body = bodies.get(key) ?? null
      if (body === null) this.unknown.push(`${type}/${key}`)
      const comment =
        body === null
          ? docComment([NOT_DESCRIBED], null, indent)
          : docComment([titleOf(body), textOf(body['description'])], deprecation(body), indent)
      return [...comment, ...linesOf(key, body)]
    })
  }

  #bodies(type: RecordTypeName): Bodies {
    const records = this.#snapshot.get(type)?.records ?? new Map<string, never>()
    return new Map([...records].map(([key, { body }]) => [key, body]))
  }

  #keys(type: RecordTypeName): string[] {
    return [...(this.#snapshot.get(type)?.records.keys() ?? [])]
  }
}

const NOT_DESCRIBED = 'The models link it and do not describe it.'

const UNKNOWN_FIELDS: ClientFields = new Map([
  ['value', { union: ['unknown'] }],
  ['type', { union: [`'MEASUREMENT'`, `'SETTING'`] }],
])

function fieldsOf(type: RecordTypeName, body: RecordBody): ClientFields {
  return recordType(type).clientFields?.(body) ?? new Map()
}

/** The second of each pair by the first, sorted. */
function grouped(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(pairs, ([first]) => first)
  return new Map([...groups].map(([first, group]) => [first, group.map(([, second]) => second).sort()]))
}

function nameOf(body: RecordBody): string {
  return textOf(body['name'] ?? body['message'])
}

/** `Room temperature, °C, from -20 to 60 in steps of 0.1` */
function valueText(body: RecordBody): string {
  return [nameOf(body), textOf(body['symbol']), limitText(body)].filter((part) => part !== '').join(', ')
}

function limitText(body: RecordBody): string {
  const [least, most] = [enforcedBoundary(body, 'boundaryMin'), enforcedBoundary(body, 'boundaryMax')]
  const step = dataTypeOf(body).honours.includes('boundaryStep') ? body['boundaryStep'] : undefined
  const range =
    least !== null && most !== null
      ? [`from ${least} to ${most}`]
      : [...(least === null ? [] : [`from ${least}`]), ...(most === null ? [] : [`to ${most}`])]
  return [...range, ...(typeof step === 'number' ? [`in steps of ${step}`] : [])].join(' ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function deprecation({ status }: RecordBody): string | null {
  return status === undefined || status === 'ACTIVATED' ? null : `@deprecated Its status is ${textOf(status)}.`
}
