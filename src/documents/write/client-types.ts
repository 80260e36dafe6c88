import { interfaceText, literalText, type Member } from '../../lib/type-text.ts'
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
 * Writes the records as TypeScript types for clients. A characteristic is described once, and services and component
 * models refer to it. So the text grows with the document, and not with the number of paths through its links
 * (docs/decisions/0078).
 */
export function clientTypes(snapshot: Snapshot): ClientTypes {
  const model = new ClientModel(snapshot)
  const texts = [
    CLIENT_TYPES_MARK,
    interfaceText('Characteristics', 'The characteristics, by their keys.', model.characteristics()),
    interfaceText('Services', 'The characteristics of each service, by their paths.', model.services()),
    interfaceText('Model', 'The data model, for the client of Holdfast.', [
      { name: CLIENT_MODEL.model, type: { members: model.componentModels() } },
      { name: CLIENT_MODEL.event, type: { members: model.eventModels() } },
      { name: 'metadata', type: { members: model.metadata() } },
    ]),
  ]
  return { text: `${texts.join('\n\n')}\n`, unknown: model.unknown }
}

class ClientModel {
  readonly unknown: string[] = []
  readonly #snapshot: Snapshot
  /** The services of each component model, and the characteristics of each service. */
  readonly #offered: ReadonlyMap<string, readonly string[]>
  readonly #supported: ReadonlyMap<string, readonly string[]>

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
    const keys = (type: RecordTypeName) => [...(snapshot.get(type)?.records.keys() ?? [])]
    this.#offered = grouped(keys(CLIENT_MODEL.offer).map(offerOf), ({ model, service }) => [model, service])
    this.#supported = grouped(keys(CLIENT_MODEL.support).map(supportOf), ({ service, value }) => [service, value])
  }

  characteristics(): Member[] {
    const linked = [...this.#supported.values()].flat()
    const { value } = CLIENT_MODEL
    return this.#members(value, linked, (_, body) => ({ members: fieldsOf(value, body), isSmall: true }), valueText)
  }

  services(): Member[] {
    const linked = [...this.#supported.keys(), ...[...this.#offered.values()].flat()]
    return this.#members(CLIENT_MODEL.service, linked, (key) => {
      const values = this.#supported.get(key) ?? []
      return {
        members: values.map((value) => ({
          name: `${key}/${value}`,
          type: { union: [`Characteristics[${literalText(value)}]`] },
        })),
      }
    })
  }

  componentModels(): Member[] {
    return this.#members(CLIENT_MODEL.model, [...this.#offered.keys()], (key) => ({
      all: (this.#offered.get(key) ?? []).map((service) => `Services[${literalText(service)}]`),
    }))
  }

  eventModels(): Member[] {
    const { event } = CLIENT_MODEL
    return this.#members(event, [], (_, body) => ({ members: fieldsOf(event, body), isSmall: true }))
  }

  metadata(): Member[] {
    const records = [...(this.#snapshot.get(CLIENT_MODEL.metadata)?.records.values() ?? [])]
    const byEntity = Map.groupBy(records, ({ key }) => splitKey(key)[0])
    return Object.keys(METADATA_ENTITIES).map((name) => {
      const ofEntity = (byEntity.get(name) ?? []).sort((a, b) => (a.key < b.key ? -1 : 1))
      const members = ofEntity.flatMap(({ key, body }) =>
        fieldsOf(CLIENT_MODEL.metadata, body).map(({ type }) => {
          return { name: splitKey(key)[1] ?? '', paragraphs: [textOf(body['description'])], type }
        }),
      )
      return { name, type: { members } }
    })
  }

  /** The members for records of a type and for others that are only linked, sorted, each with its comment. */
  #members(
    type: RecordTypeName,
    linked: readonly string[],
    typeOf: (key: string, body: RecordBody | null) => Member['type'],
    titleOf: (body: RecordBody) => string = nameOf,
  ): Member[] {
    const records = this.#snapshot.get(type)?.records
    return [...new Set([...(records?.keys() ?? []), ...linked])].sort().map((name) => {
      const body = records?.get(name)?.body ?? null
      if (body === null) this.unknown.push(`${type}/${name}`)
      const comment =
        body === null
          ? { paragraphs: [NOT_DESCRIBED] }
          : { paragraphs: [titleOf(body), textOf(body['description'])], tag: deprecation(body) }
      return { name, ...comment, type: typeOf(name, body) }
    })
  }
}

const NOT_DESCRIBED = 'The models link it and do not describe it.'

const UNKNOWN_FIELDS: ClientFields = new Map([
  ['value', { union: ['unknown'] }],
  ['type', { union: [`'MEASUREMENT'`, `'SETTING'`] }],
])

function fieldsOf(type: RecordTypeName, body: RecordBody | null): Member[] {
  const fields = body === null ? UNKNOWN_FIELDS : recordType(type).clientFields?.(body)
  return [...(fields ?? [])].map(([name, fieldType]) => ({ name, type: fieldType }))
}

/** The second part of each link, by its first part, sorted. */
function grouped<Link>(links: readonly Link[], partsOf: (link: Link) => readonly [string, string]) {
  const groups = Map.groupBy(links.map(partsOf), ([first]) => first)
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
  const parts = [
    least === null ? null : `from ${least}`,
    most === null ? null : `to ${most}`,
    typeof step === 'number' ? `in steps of ${step}` : null,
  ]
  return parts.filter((part) => part !== null).join(' ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function deprecation({ status }: RecordBody): string | null {
  return status === undefined || status === 'ACTIVATED' ? null : `@deprecated Its status is ${textOf(status)}.`
}
