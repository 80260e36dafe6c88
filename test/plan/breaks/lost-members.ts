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
  for (const key of keys('services')) members.set(`services/${key}`, [])
  for (const key of keys('characteristics'))
    members.set(`characteristics/${key}`, typeOf(body(`characteristics/${key}`)))
  const supports = keys('characteristicServiceLinks').map((key) => key.split('/'))
  for (const [value = '', service = ''] of supports)
    members.set(`services/${service}${BELOW}${service}/${value}`, typeOf(body(`characteristics/${value}`)))
  for (const [service = '', model = ''] of keys('serviceComponentModelLinks').map((key) => key.split('/')))
    for (const [value = '', of] of supports) {
      if (of !== service) continue
      const path = `${service}/${value}`
      members.set(`componentModels/${model}${BELOW}${path}`, typeOf(body(`characteristics/${value}`)))
    }
  return members
}

function typeOf(characteristic: JsonObject): string[] {
  return valueType(characteristic).map((one) => `${one} '${String(characteristic['characteristicType'])} `)
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

type Loss = 'gone' | 'renamed' | 'retyped'
type Losses = ReadonlyMap<string, readonly Loss[]>

/** The losses of each member that has some, by its name before the plan. */
export function lostMembers(live: object, plan: Plan): Losses {
  const bodies = bodiesOf(live)
  const now = membersOf(after(bodies, plan))
  const nameNow = renames(plan)
  const lost = [...membersOf(bodies)].map(([name, type]): [string, Loss[]] => {
    const other = now.get(nameNow(name))
    if (other === undefined) return [name, ['gone']]
    const [own, next] = [name, nameNow(name)].map((one) => one.split(BELOW).at(-1))
    return [
      name,
      [...(own === next ? [] : ['renamed' as const]), ...(isOther(type, other) ? ['retyped' as const] : [])],
    ]
  })
  return sorted(lost.filter(([, losses]) => losses.length > 0))
}

function isOther(type: readonly string[], other: readonly string[]): boolean {
  const isGone = type.some((one) => !other.includes(one))
  return isGone || other.some((one) => !one.startsWith("'") && !type.includes(one))
}

function renames({ changes }: Plan): (name: string) => string {
  const moved = new Map(changes.map(({ type, key, from = key }) => [recordId({ type, key: from }), key]))
  const nameNow = (type: string, key: string) => moved.get(`${type}/${key}`) ?? key
  return (name) => {
    const [id = '', path] = name.split(BELOW)
    const type = id.slice(0, id.indexOf('/'))
    const own = `${type}/${nameNow(type, id.slice(type.length + 1))}`
    if (path === undefined) return own
    const [service = '', value = ''] = path.split('/')
    return `${own}${BELOW}${nameNow('services', service)}/${nameNow('characteristics', value)}`
  }
}

/** The losses that the plan names, with those of a removed record or service one by one. */
export function namedMembers(live: object, plan: Plan): Losses {
  const all = [...membersOf(bodiesOf(live)).keys()]
  const deleted = new Set(plan.changes.flatMap((one) => (one.after === null ? [recordId(one)] : [])))
  const named = new Map<string, Set<Loss>>()
  for (const { type, keys, count, member, change } of plan.breaks?.members ?? []) {
    if (count !== undefined) throw new Error('the model is too large to compare')
    const losses = lossesOf(change)
    const add = (names: readonly string[]) => {
      for (const name of names) named.set(name, new Set([...(named.get(name) ?? []), ...losses]))
    }
    const below = (begin: string) => add(all.filter((name) => name.startsWith(begin)))
    // A link that vanishes alone tells nothing about the record that stays.
    const tells = (id: string) => change !== 'removed' || deleted.has(id)
    for (const id of keys.map((key) => `${type}/${key}`)) {
      const [service = '', value = ''] = member?.split('/') ?? []
      if (member === undefined) {
        add([id])
        if (change === 'removed' || type === 'services') below(id + BELOW)
      } else if (value === '*') {
        below(`${id}${BELOW}${service}/`)
        if (tells(`services/${service}`)) add([`services/${service}`])
        if (tells(`services/${service}`)) below(`services/${service}${BELOW}`)
      } else {
        add([id + BELOW + member, `services/${service}${BELOW}${member}`])
        if (tells(`characteristics/${value}`)) add([`characteristics/${value}`])
      }
    }
  }
  return sorted([...named].map(([name, losses]) => [name, losses.has('gone') ? ['gone'] : [...losses].sort()]))
}

function lossesOf(change: string): readonly Loss[] {
  if (change === 'removed') return ['gone']
  if (!change.startsWith('renamed to ')) return ['retyped']
  return /, (?:no longer |(?:type |event|entity|.* → ))/.test(change) ? ['renamed', 'retyped'] : ['renamed']
}

function sorted(losses: readonly (readonly [string, readonly Loss[]])[]): Losses {
  return new Map(losses.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
