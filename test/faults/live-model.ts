import { TEXT, TEXT_ARRAY, textOf } from '../../src/db/columns.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { isDigest } from '../../src/lib/digest.ts'
import type { KeyedDigest } from '../../src/plan/keyed-digests.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { keyedDigest } from '../../src/platform/imports/planning/live-domain.ts'

// What lives on the platform, read from the tables and not through the code under test, and the independent rule of
// when a reviewed plan must be refused.

export interface LiveModel {
  /** By `type/key`, as plans show those of stored records. */
  readonly digests: ReadonlyMap<string, string>
  /** What each record refers to, by `type/key`. */
  readonly references: ReadonlyMap<string, readonly string[]>
}

export async function readLiveModel(context: DomainContext): Promise<LiveModel> {
  const { database, domain } = context
  const keyed = keyedDigest(context)
  return database.read(async (sql) => {
    const rows = await sql.rows(
      { id: TEXT, digest: textOf(isDigest), refers: TEXT_ARRAY },
      `select r.type || '/' || r.key as id, r.digest,
         array(select t.type || '/' || t.key from record_references f join records t on t.domain_id = f.domain_id and t.uuid = f.to_uuid
               where f.domain_id = r.domain_id and f.from_uuid = r.uuid order by 1) as refers
       from records r where r.domain_id = $1 order by 1`,
      [domain.id],
    )
    return {
      digests: new Map(rows.map(({ id, digest }) => [id, keyed(digest)])),
      references: new Map(rows.map(({ id, refers }) => [id, refers])),
    }
  })
}

/** The fields of a body that name other records. */
const REFERENCES: { readonly [type: string]: { readonly [field: string]: string } } = {
  characteristicServiceLinks: { characteristicCode: 'characteristics', serviceCode: 'services' },
  serviceComponentModelLinks: { serviceCode: 'services', componentModelCode: 'componentModels' },
}

function referredBy({ type, after }: Plan['changes'][number]): string[] {
  const fields = Object.entries(REFERENCES[type] ?? {}).map(([field, target]) => `${target}/${String(after?.[field])}`)
  const organization = after?.['organization'] as { alias: string | null } | null | undefined
  return typeof organization?.alias === 'string' ? [...fields, `organizations/${organization.alias}`] : fields
}

function recordId({ type, key }: Plan['changes'][number]): string {
  return `${type}/${key}`
}

interface Touched {
  readonly old: ReadonlySet<string>
  readonly new: ReadonlySet<string>
}

function touchedBy(plan: Plan): Touched {
  const old = plan.changes
    .filter(({ action }) => action !== 'create')
    .map(({ type, key, from }) => `${type}/${from ?? key}`)
  return {
    old: new Set(old),
    new: new Set(plan.changes.filter(({ after }) => after !== null).map(({ type, key }) => `${type}/${key}`)),
  }
}

/** Whether somebody has made the change already. */
export function isDone(change: Plan['changes'][number], { digests }: LiveModel, keyed: KeyedDigest): boolean {
  const { type, key, from = key, after } = change
  if (after === null) return !digests.has(recordId(change))
  return (
    digests.get(recordId(change)) === storedDigest(change, keyed) && (from === key || !digests.has(`${type}/${from}`))
  )
}

/**
 * Whether something that is left of the plan touches or refers to what is not as it was when the plan was made; or,
 * which touches no digest, a record now refers to one that the plan deletes or renames and did not at the time of the
 * plan.
 */
export function mustBeRefused(plan: Plan, planned: LiveModel, now: LiveModel, keyed: KeyedDigest): boolean {
  const open = plan.changes.filter((change) => !isDone(change, now, keyed))
  if (open.length === 0) return false
  const [all, touched] = [touchedBy(plan), touchedBy({ ...plan, changes: open })]
  const referred = plan.changes.filter(({ after }) => after !== null).flatMap(referredBy)
  const concerned = [...touched.old, ...touched.new, ...referred.filter((id) => !all.old.has(id) && !all.new.has(id))]
  if (concerned.some((id) => planned.digests.get(id) !== now.digests.get(id))) return true
  const going = [...touched.old].filter((id) => !touched.new.has(id))
  return [...now.references].some(([from, refers]) => !all.old.has(from) && refers.some((to) => going.includes(to)))
}

/** What must live on the platform once exactly the plan's changes are made. */
export function afterPlan(plan: Plan, { digests, references }: LiveModel, keyed: KeyedDigest): LiveModel {
  const touched = touchedBy(plan)
  const kept = <T>(map: ReadonlyMap<string, T>) => [...map].filter(([id]) => !touched.old.has(id))
  const made = plan.changes.filter(({ after }) => after !== null)
  return {
    digests: sorted([
      ...kept(digests),
      ...made.map((change): [string, string] => [recordId(change), storedDigest(change, keyed)]),
    ]),
    references: sorted([
      ...kept(references),
      ...made.map((change): [string, string[]] => [recordId(change), referredBy(change).sort()]),
    ]),
  }
}

/** What a plan creates it shows with the digest that the document's author knows anyway. */
function storedDigest({ beforeDigest, afterDigest }: Plan['changes'][number], keyed: KeyedDigest): string {
  if (afterDigest === null) throw new Error('what is made has a digest')
  return beforeDigest === null ? keyed(afterDigest) : afterDigest
}

function sorted<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
