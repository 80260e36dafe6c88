import type { Snapshot } from '../../src/documents/snapshot.ts'
import { parentKey, splitKey } from '../../src/records/identity.ts'
import { recordType } from '../../src/records/registry.ts'
import type { RecordBody } from '../../src/records/record-type.ts'
import { Secret } from '../../src/records/secret.ts'

// The plan as it is meant, without digests, indexes or moves: every body against every body. Slow, and so
// simple that it can be checked by reading it.

interface Live {
  readonly type: string
  readonly key: string
  readonly body: RecordBody
  readonly secret: string | null
}

function listed(snapshot: Snapshot): Live[] {
  return [...snapshot].flatMap(([type, { records }]) =>
    [...records.values()].map(({ key, body, secret }) => ({
      type,
      key,
      body,
      secret: secret instanceof Secret ? secret.reveal() : null,
    })),
  )
}

/** `action type/key`, sorted. */
export function naiveEffects(live: Snapshot, wanted: Snapshot, isOpen: (key: string) => boolean): string[] {
  const [there, asked] = [listed(live), listed(wanted)]
  const created = asked.filter((record) => find(there, record) === undefined)
  const updated = asked.filter((record) => {
    const before = find(there, record)
    return (
      before !== undefined &&
      (!isEqual(merged(wanted, record, before.body), before.body) || record.secret !== before.secret)
    )
  })
  const surplus = there.filter((record) => find(asked, record) === undefined && isCovered(wanted, record, isOpen))
  const gone = there.filter((record) => surplus.includes(record) || surplus.some((owner) => belongsTo(record, owner)))
  return [...say('create', created), ...say('update', updated), ...say('delete', gone)].sort()
}

function find(list: readonly Live[], { type, key }: Live): Live | undefined {
  return list.find((one) => one.type === type && one.key === key)
}

function say(action: string, records: readonly Live[]): string[] {
  return records.map(({ type, key }) => `${action} ${type}/${key}`)
}

/** Untouched fields as they are, one by one. */
function merged(wanted: Snapshot, { type, key, body }: Live, live: RecordBody): RecordBody {
  const untouched = [...wanted].find(([name]) => name === type)?.[1].records.get(key)?.untouched ?? []
  const kept = Object.entries(live).filter(([field]) => untouched.includes(field))
  return { ...body, ...Object.fromEntries(kept) }
}

function isEqual(a: RecordBody, b: RecordBody): boolean {
  return sortedText(a) === sortedText(b)
}

function sortedText(body: RecordBody): string {
  return JSON.stringify(Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function isCovered(wanted: Snapshot, { type, key }: Live, isOpen: (key: string) => boolean): boolean {
  const desired = [...wanted].find(([name]) => name === type)?.[1]
  if (desired === undefined || desired.coverage === 'none') return false
  if (desired.coverage === 'owners') return desired.covers(key)
  if (recordType(desiredName(type)).tree === undefined) return true
  const above = parents(key)
  return !above.some(isOpen)
}

function parents(key: string): string[] {
  const parent = parentKey(key)
  return parent === null ? [] : [parent, ...parents(parent)]
}

/** A link belongs to its two ends, a node of a tree to those above it. */
function belongsTo(record: Live, owner: Live): boolean {
  if (record.type === owner.type)
    return record.key.startsWith(`${owner.key}/`) && recordType(desiredName(record.type)).tree !== undefined
  const { references = [], identity } = recordType(desiredName(record.type))
  return references.some(({ path, type, owner: owned }) => {
    const part = splitKey(record.key)[identity.indexOf(path[0])]
    return owned && type === owner.type && part === splitKey(owner.key)[0]
  })
}

function desiredName(type: string) {
  return type as Parameters<typeof recordType>[0]
}
