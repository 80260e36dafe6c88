import { readDocument } from '../../../src/documents/read/read-document.ts'
import type { JsonObject } from '../../../src/lib/json.ts'
import { recordId } from '../../../src/records/record-id.ts'
import type { Plan } from '../../../src/plan/plan.ts'

// The types of clients written out member by member, however large, before a plan and after it.

type Bodies = ReadonlyMap<string, JsonObject>

function bodiesOf(document: object): Map<string, JsonObject> {
  const { snapshot } = readDocument(document)
  return new Map(
    [...snapshot.values()].flatMap(({ records }) => [...records.values()].map((one) => [recordId(one), one.body])),
  )
}

function after(bodies: Bodies, { changes }: Plan): Bodies {
  const made = new Map(bodies)
  for (const { type, key, from = key } of changes) made.delete(recordId({ type, key: from }))
  for (const change of changes) if (change.after !== null) made.set(recordId(change), change.after)
  return made
}

/** Stands between the key of a component model and a path. No key has it. */
const BELOW = '\n'

/** `type/key`, or that and a path, of each member, with its type as a list of what a value can be. */
function membersOf(bodies: Bodies): ReadonlyMap<string, readonly string[]> {
  const keys = (type: string) =>
    [...bodies.keys()].filter((id) => id.startsWith(`${type}/`)).map((id) => id.slice(type.length + 1))
  const body = (id: string) => bodies.get(id) ?? {}
  const members = new Map<string, readonly string[]>()
  for (const key of keys('eventModels')) {
    const { entityType, eventLevel, eventType } = body(`eventModels/${key}`)
    members.set(`eventModels/${key}`, [`'${String(entityType)} ${String(eventLevel)} ${String(eventType)}`])
  }
  for (const key of keys('metadataTypes'))
    members.set(`metadataTypes/${key}`, metadataType(body(`metadataTypes/${key}`)))
  for (const key of keys('componentModels')) members.set(`componentModels/${key}`, [])
  const supports = keys('characteristicServiceLinks').map((key) => key.split('/'))
  for (const [service = '', model = ''] of keys('serviceComponentModelLinks').map((key) => key.split('/')))
    for (const [value = '', of] of supports) {
      if (of !== service) continue
      const characteristic = body(`characteristics/${value}`)
      members.set(
        `componentModels/${model}${BELOW}${service}/${value}`,
        [`'${String(characteristic['characteristicType'])} `].flatMap((kind) =>
          valueType(characteristic).map((one) => `${one} ${kind}`),
        ),
      )
    }
  return members
}

function metadataType({ dataType }: JsonObject): string[] {
  if (dataType === 'INTEGER') return ['number', 'string']
  return [dataType === 'FLOAT' ? 'number' : dataType === 'BOOLEAN' ? 'boolean' : 'string']
}

function valueType(body: JsonObject): string[] {
  const { dataType, options, multiple, boundaryMin, boundaryMax } = body
  if (dataType === 'SELECT') {
    const keys = ((options ?? []) as readonly JsonObject[]).map(({ key }) => `'${String(key)}`)
    return (keys.length === 0 ? ['string'] : keys).map((key) => (multiple === true ? `${key}[]` : key))
  }
  if (dataType === 'INTEGER') {
    const isSafe = [boundaryMin, boundaryMax].every(
      (one) =>
        one !== undefined &&
        Math.abs(Number(one)) <= 2 ** 53 - 1 &&
        !Number.isNaN(Number(one)) &&
        typeof one === 'number',
    )
    return isSafe ? ['number'] : ['number', 'string']
  }
  if (dataType === 'FLOAT') return ['number']
  return [dataType === 'BOOLEAN' ? 'boolean' : dataType === 'JSON' ? 'unknown' : 'string']
}

/** The members that are gone, or that take less or something else. */
export function lostMembers(live: object, plan: Plan): string[] {
  const bodies = bodiesOf(live)
  const [before, now] = [membersOf(bodies), membersOf(after(bodies, plan))]
  return [...before]
    .filter(([name, type]) => {
      const other = now.get(name)
      if (other === undefined) return true
      const isGone = type.some((one) => !other.includes(one))
      return isGone || other.some((one) => !one.startsWith("'") && !type.includes(one))
    })
    .map(([name]) => name)
    .sort()
}

/** The members that the plan names, with those of a removed record or service one by one. */
export function namedMembers(live: object, { breaks }: Plan): string[] {
  const all = [...membersOf(bodiesOf(live)).keys()]
  const named = (breaks?.members ?? []).flatMap(({ type, keys, count, member, change }) => {
    if (count !== undefined) throw new Error('the model is too large to compare')
    return keys.flatMap((key) => {
      const id = `${type}/${key}`
      if (member === undefined)
        return all.filter((name) => name === id || (change === 'removed' && name.startsWith(id + BELOW)))
      return member.endsWith('/*')
        ? all.filter((name) => name.startsWith(id + BELOW + member.slice(0, -1)))
        : [id + BELOW + member]
    })
  })
  return [...named].sort()
}
