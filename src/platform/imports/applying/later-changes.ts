import type { Sql } from '../../../db/sql.ts'
import { nameSome } from '../../../lib/counted.ts'
import { changedFields } from '../../../plan/compare/revert-fields.ts'
import { recordId } from '../../../records/record-id.ts'
import { recordType } from '../../../records/registry.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { fetchAppliesAfter, type ApplyRow } from '../../../store/model/applies.ts'
import { fetchApplyChanges } from '../../../store/model/apply-changes.ts'
import { fetchDriftOf } from '../../../store/model/drift.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { fetchKeptSecrets } from '../../../store/model/secrets.ts'
import type { Reverted } from './rolled-back-records.ts'

// Finds out who changed a field after the apply to roll back: a person on the platform, or a later apply.

/** The maximum number of later applies that are searched, newest first. */
const MOST_APPLIES = 200
const MOST_FIELDS = 5

interface LaterChange {
  readonly uuid: string
  readonly fields: readonly string[]
}

/** The changed fields of records, by the apply's uuid. Applies never change, so checks read only newer ones. */
export type SeenApplies = Map<
  string,
  { readonly records: ReadonlySet<string>; readonly changes: readonly LaterChange[] }
>

/**
 * For each record that a rollback would overwrite: the later changes and their authors, by the record's present
 * `type/key`. `secrets` are the secrets that the rollback restores. It adds the applies that it reads to `seen`.
 */
export async function laterChanges(
  sql: Sql,
  domainId: number,
  applyUuid: string,
  reverted: readonly Reverted[],
  secrets: readonly RecordKey[],
  seen: SeenApplies,
): Promise<ReadonlyMap<string, string>> {
  const restored = new Set(secrets.map(recordId))
  const search = new Search(reverted, (record) => restored.has(recordId(record)))
  const drifted = await fetchDriftOf(sql, domainId, search.records)
  const byId = new Map(search.records.map((record) => [recordId(record), record]))
  for (const row of drifted)
    for (const [field, { actor, at }] of Object.entries(row.fields))
      search.say(byId.get(recordId(row))?.uuid, [field], `${actor} on the platform, at ${at}`)
  const applies = search.isOpen ? await fetchAppliesAfter(sql, domainId, applyUuid, MOST_APPLIES) : []
  const records = new Set(reverted.flatMap(({ live }) => (live === null ? [] : [live.uuid])))
  for (const apply of applies) {
    if (!search.isOpen) break
    const known = seen.get(apply.uuid)
    const isKnown = known !== undefined && records.isSubsetOf(known.records)
    const changes = isKnown ? known.changes : await changesOf(sql, domainId, apply.uuid, records)
    seen.set(apply.uuid, { records, changes })
    for (const { uuid, fields } of changes) search.say(uuid, fields, applyText(apply))
  }
  return search.messages()
}

async function changesOf(
  sql: Sql,
  domainId: number,
  apply: string,
  records: ReadonlySet<string>,
): Promise<readonly LaterChange[]> {
  const replaced = new Set((await fetchKeptSecrets(sql, domainId, apply)).map(recordId))
  const changes = await fetchApplyChanges(sql, domainId, apply)
  return changes
    .filter(({ uuid }) => records.has(uuid))
    .map(({ uuid, type, key, from, before, after }) => {
      const secret = replaced.has(recordId({ type, key: from ?? key })) ? recordType(type).secret : undefined
      return { uuid, fields: [...changedFields(before, after), ...(secret === undefined ? [] : [secret])] }
    })
}

/** Searches for the authors of changed fields, from the newest change to the oldest. */
class Search {
  readonly #open: ReadonlyMap<
    string,
    { readonly live: StoredRecord; readonly fields: Set<string>; secret: string | null }
  >
  readonly #said = new Map<string, string[]>()

  constructor(reverted: readonly Reverted[], isRestored: (record: RecordKey) => boolean) {
    const open = reverted.flatMap(({ live, wanted, change: { type }, overwritten }) => {
      if (live === null) return []
      const { secret = null } = recordType(type)
      const isSecret = wanted !== null && isRestored({ type, key: wanted.key })
      if (overwritten.length === 0 && !isSecret) return []
      return [[live.uuid, { live, fields: new Set(overwritten), secret: isSecret ? secret : null }] as const]
    })
    this.#open = new Map(open)
  }

  get records(): readonly StoredRecord[] {
    return [...this.#open.values()].map(({ live }) => live)
  }

  /** Whether there may be more changes than those found. */
  get isOpen(): boolean {
    return [...this.#open.values()].some(({ fields, secret }) => fields.size > 0 || secret !== null)
  }

  say(uuid: string | undefined, changed: readonly string[], who: string): void {
    const open = uuid === undefined ? undefined : this.#open.get(uuid)
    if (uuid === undefined || open === undefined) return
    const found = [...open.fields].filter((field) =>
      changed.some((name) => name === field || field.startsWith(`${name}/`)),
    )
    for (const field of found) open.fields.delete(field)
    if (open.secret !== null && changed.includes(open.secret)) {
      found.push(open.secret)
      open.secret = null
    }
    if (found.length === 0) return
    this.#said.set(uuid, [...(this.#said.get(uuid) ?? []), `${nameSome(found, MOST_FIELDS)} by ${who}`])
  }

  messages(): ReadonlyMap<string, string> {
    for (const [uuid, { fields }] of this.#open) this.say(uuid, [...fields], 'somebody')
    return new Map(
      [...this.#said].flatMap(([uuid, said]) => {
        const live = this.#open.get(uuid)?.live
        return live === undefined ? [] : [[recordId(live), messageOf(said)]]
      }),
    )
  }
}

function messageOf(said: readonly string[]): string {
  return `changed again after the apply: ${said.join('; ')}. The rollback overwrites that, too`
}

function applyText({ uuid, at, actor, origin }: ApplyRow): string {
  const { pullRequest, commit, actor: person } = origin
  const source =
    typeof pullRequest === 'string'
      ? `, ${pullRequest}`
      : typeof commit === 'string'
        ? `, commit ${commit.slice(0, 12)}`
        : ''
  // A job applies as a machine user, and names the person who merged.
  const who = typeof person === 'string' ? `${person}, as ${actor}` : actor
  return `the apply ${uuid}${source} (${who}, at ${at.toISOString()})`
}
