import { isListOf, json, nullable, TEXT } from '../../src/db/columns.ts'
import { hasShape } from '../../src/db/row-shape.ts'
import { recordId } from '../../src/records/record-id.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { RECORD_KEY } from '../../src/store/model/records.ts'

// What a conflict is, told without any plan: from what is in the database before and after each of two applies.

/** The records of a domain, by `type/key`, and what each of them refers to. */
export interface State {
  readonly digests: ReadonlyMap<string, string>
  readonly bodies: ReadonlyMap<string, string>
  readonly references: ReadonlyMap<string, readonly string[]>
}

const ROW = { ...RECORD_KEY, digest: TEXT, body: TEXT, refers: nullable(json(isListOf(hasShape(RECORD_KEY)))) }

export async function stateOf({ database, domain }: DomainContext): Promise<State> {
  const rows = await database.read((sql) =>
    sql.rows(
      ROW,
      `select r.type, r.key, r.digest, r.body::text as body,
         (select json_agg(json_build_object('type', t.type, 'key', t.key)) from record_references f
          join records t on t.domain_id = f.domain_id and t.uuid = f.to_uuid
          where f.domain_id = r.domain_id and f.from_uuid = r.uuid) as refers
       from records r where r.domain_id = $1`,
      [domain.id],
    ),
  )
  return {
    digests: new Map(rows.map((row) => [recordId(row), row.digest])),
    bodies: new Map(rows.map((row) => [recordId(row), row.body])),
    references: new Map(rows.map((row) => [recordId(row), (row.refers ?? []).map(recordId)])),
  }
}

/** One apply, in a domain of its own: a digest with a secret in it is of this domain alone. */
export interface Step {
  readonly before: State
  readonly after: State
}

/** The records that it has changed. */
export function touched({ before, after }: Step): Set<string> {
  const ids = [...before.digests.keys(), ...after.digests.keys()]
  return new Set(ids.filter((id) => before.digests.get(id) !== after.digests.get(id)))
}

/** The records by which an apply is in conflict with the one before it: those that it rests on, and that have moved. */
export function movedBetween(first: Step, second: Step): readonly string[] {
  const [theirs, ours] = [touched(first), touched(second)]
  // What both have made is done already.
  const open = [...ours].filter((id) => !isSame(first, second, id))
  if (open.length === 0) return []
  const restsOn = new Set([...open, ...[...ours].flatMap((id) => second.after.references.get(id) ?? [])])
  const moved = [...restsOn].filter((id) => theirs.has(id))
  const orphaned = [...theirs].filter((id) => {
    return (first.after.references.get(id) ?? []).some((to) => ours.has(to) && !second.after.digests.has(to))
  })
  return [...moved, ...orphaned]
}

function isSame(first: Step, second: Step, id: string): boolean {
  return first.after.digests.get(id) === second.after.digests.get(id)
}

/** What both have made, where they are not in conflict. */
export function together(first: Step, second: Step): ReadonlyMap<string, string> {
  const bodies = new Map(first.after.bodies)
  for (const id of touched(second)) {
    const body = second.after.bodies.get(id)
    if (body === undefined) bodies.delete(id)
    else bodies.set(id, body)
  }
  return bodies
}
