import { parentKey } from '../records/identity.ts'
import type { DocumentRecord } from './document-record.ts'
import type { Coverage, DesiredType } from './snapshot.ts'

/** Collects what a document says about one record type while it is read. */
export class TypeBuilder implements DesiredType {
  all = false
  ownerIndex = 0
  readonly records = new Map<string, DocumentRecord>()
  /** The keys of the records whose embedded list is present. */
  readonly ownerKeys = new Set<string>()
  /** The nodes of a tree whose list of children is absent, so that what is below them is not managed. */
  readonly openNodes = new Set<string>()

  get owners(): number {
    return this.ownerKeys.size
  }

  get leavesSomeAlone(): boolean {
    return this.coverage === 'owners' || this.openNodes.size > 0
  }

  get coverage(): Coverage {
    if (this.all) return 'all'
    return this.owners > 0 ? 'owners' : 'none'
  }

  covers(key: string): boolean {
    if (!this.all) return this.ownerKeys.has(key.split('/')[this.ownerIndex] ?? '')
    for (let node = parentKey(key); node !== null && this.openNodes.size > 0; node = parentKey(node)) {
      if (this.openNodes.has(node)) return false
    }
    return true
  }
}
