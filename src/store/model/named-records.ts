import type { DATA_TYPES } from '../../records/types/data-types.ts'
import { hidden } from '../narrowest.ts'

interface NamedRecords {
  readonly type: (typeof DATA_TYPES)[keyof typeof DATA_TYPES]
  /** The parameter with the names, of which each is a key or a uuid. */
  readonly names: string
  /** The parameter with those of them that are uuids. */
  readonly uuids: string
}

/** SQL for records `r` of a type, by key or uuid, each by its own index. `ofKey` and `ofUuid` are the columns of either half. */
export function namedRecords({ type, names, uuids }: NamedRecords, ofKey: string, ofUuid = ofKey): string {
  return `select ${ofKey} from records r where r.domain_id = $1 and r.type = '${type}' and r.key = any (${names}::text[])
    union all
    select ${ofUuid} from records r
    where r.domain_id = $1 and r.uuid = any (${uuids}::uuid[]) and ${hidden(`r.type = '${type}'`)}`
}
