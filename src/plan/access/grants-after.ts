import { ACCESS, type RecordBody } from '../../records/record-type.ts'
import { byTypeAndKey, type Draft } from '../compare/draft-changes.ts'
import type { LiveIndex, LiveState } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'

/** A grant that stays, before and after the plan. They differ if a user or unit that it names gets another key. */
interface StayingGrant {
  readonly before: RecordBody
  readonly after: RecordBody
}

export interface Grants {
  readonly staying: readonly StayingGrant[]
  readonly given: readonly RecordBody[]
  readonly taken: readonly RecordBody[]
}

export const NO_GRANTS: Grants = { staying: [], given: [], taken: [] }

/** All grants of the domain, sorted by what the plan does with them. */
export async function grantsAfter(drafts: readonly Draft[], index: LiveIndex, live: LiveState): Promise<Grants> {
  const keys = [...(index.digests.get(ACCESS)?.keys() ?? [])].map((key) => ({ type: ACCESS, key }) as const)
  const records = keys.length === 0 ? [] : (await live.records(keys)).toSorted(byTypeAndKey)
  const planned = drafts.filter(({ type }) => type === ACCESS)
  const changed = new Map(planned.map((draft) => [recordId({ type: ACCESS, key: draft.from ?? draft.key }), draft]))
  const staying = records.flatMap((record): StayingGrant[] => {
    const draft = changed.get(recordId(record))
    const after = draft === undefined ? record.body : draft.after
    return after === null ? [] : [{ before: record.body, after }]
  })
  return { staying, given: bodiesOf(planned, 'create', 'after'), taken: bodiesOf(planned, 'delete', 'before') }
}

function bodiesOf(drafts: readonly Draft[], action: Draft['action'], which: 'before' | 'after'): RecordBody[] {
  return drafts.flatMap((draft) => {
    const body = draft.action === action ? draft[which] : null
    return body === null ? [] : [body]
  })
}
