import { splitKey } from '../../records/identity.ts'
import { recordId } from '../../records/record-id.ts'
import { typeThatSignsIn } from '../../records/registry.ts'
import { plainText } from '../../lib/visible-text.ts'
import { grantOf } from '../../records/types/granted.ts'
import type { Draft } from '../compare/draft-changes.ts'
import { isActive } from './accounts-across.ts'
import type { Difference } from './difference.ts'
import type { Grants } from './grants-after.ts'

const PERSON = typeThatSignsIn('person').name
const WAY = 'the grants for identities, no longer kept out by a user who is not ACTIVATED'

/**
 * Finds the people whom a user that is not ACTIVATED keeps out, if the plan deletes that user or changes its address.
 * After that, their provider may vouch for them as for anybody else, so the grants for identities would apply to them.
 */
export function peopleLetBackIn(drafts: readonly Draft[], { staying, given }: Grants): Difference[] {
  const after = [...staying.map((grant) => grant.after), ...given]
  if (!after.some((body) => grantOf(body).identities !== undefined)) return []
  const people = drafts.filter(({ type }) => type === PERSON)
  const kept = new Set(people.filter((draft) => draft.after !== null).map(recordId))
  return people.flatMap((draft): Difference[] => {
    const { type, key, from = key, before } = draft
    if (before === null || isActive(before) || kept.has(recordId({ type, key: from }))) return []
    return [
      {
        type,
        key: from,
        who: plainText(splitKey(from)[0] ?? ''),
        gains: [WAY],
        loses: [],
        text: `would get ${WAY}`,
        because: [{ type, key }],
        secret: null,
      },
    ]
  })
}
