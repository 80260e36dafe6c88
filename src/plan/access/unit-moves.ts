import { parentKey } from '../../records/identity.ts'
import { isWithin, UNIT } from '../../records/types/granted.ts'
import type { Draft } from '../compare/draft-changes.ts'

/** A node of the tree of organizations that gets another key. */
interface MovedUnit {
  readonly before: string
  readonly after: string
}

/** Maps the nodes of the tree of organizations before a plan to those after it: a moved node keeps its identity. */
export class UnitMoves {
  /** The moved nodes whose parent does not take them along. Roles are given for a node and everything below it. */
  readonly moved: readonly MovedUnit[]
  readonly #all: readonly MovedUnit[]
  readonly #keysBefore: ReadonlyMap<string, string | null>

  constructor(moved: readonly MovedUnit[], created: readonly string[]) {
    this.#all = moved
    this.#keysBefore = new Map([
      ...created.map((key) => [key, null] as const),
      ...moved.map(({ before, after }) => [after, before] as const),
    ])
    this.moved = moved.filter(({ before, after }) => {
      const [was, is] = [parentKey(before), parentKey(after)]
      return was === is || is === null || this.#keysBefore.get(is) !== was
    })
  }

  static in(drafts: readonly Draft[]): UnitMoves {
    const units = drafts.filter(({ type }) => type === UNIT)
    const moved = units.filter(({ action }) => action === 'move')
    return new UnitMoves(
      moved.map(({ key, from = key }) => ({ before: from, after: key })),
      units.filter(({ action }) => action === 'create').map(({ key }) => key),
    )
  }

  /** The moves that undo this plan. `deleted` are the nodes that the plan deletes. */
  reversed(deleted: readonly string[]): UnitMoves {
    return new UnitMoves(
      this.#all.map(({ before, after }) => ({ before: after, after: before })),
      deleted,
    )
  }

  /** The key before the plan; null for a node that the plan creates. */
  keyBefore(after: string): string | null {
    const before = this.#keysBefore.get(after)
    return before === undefined ? after : before
  }

  /** The key before the plan. If the plan creates the node, it is the key of the nearest node above that existed. */
  nearestBefore(after: string): string | null {
    for (let key: string | null = after; key !== null; key = parentKey(key)) {
      const before = this.keyBefore(key)
      if (before !== null) return before
    }
    return null
  }

  /** The moved nodes that are below a node after the plan. */
  movedInto(after: string): readonly MovedUnit[] {
    return this.moved.filter((unit) => isWithin(after, unit.after))
  }
}
