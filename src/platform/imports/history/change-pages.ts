import { HoldfastError } from '../../../lib/errors.ts'
import { CHANGES_IN_PART } from '../../../plan/outline/change-outline.ts'
import { readDomain } from '../../../store/domains.ts'
import {
  fetchApplyChanges,
  storedOutline,
  unpackChanges,
  unpackedBytes,
  type ApplyChangeRow,
} from '../../../store/model/apply-changes.ts'
import { fetchPartsOfApplies } from '../../../store/model/change-history.ts'
import { AnswerBudget } from '../../answer-budget.ts'
import type { DomainContext } from '../../domain-context.ts'

/** The maximum number of stored parts that are read at once. */
const MOST_PARTS = 500

export interface ChangePage {
  readonly changes: readonly ApplyChangeRow[]
  /** The number of changes on all pages. */
  readonly size: number
}

interface Place {
  readonly first: number
  /** The number of changes before the page. */
  readonly offset: number
}

/** Reads one page of the changes of each of these applies, in one statement. */
export async function listChangePages(
  { database, domain, budget = new AnswerBudget() }: DomainContext,
  applies: readonly string[],
  { first, offset }: Place,
): Promise<ReadonlyMap<string, ChangePage>> {
  const numbers = partsOf(offset, first)
  if (applies.length * numbers.length > MOST_PARTS) throw tooMany(applies.length)
  const wanted = applies.flatMap((apply) => numbers.map((part) => ({ apply, part })))
  const parts = await readDomain(database, domain.id, (sql) => fetchPartsOfApplies(sql, domain.id, wanted))
  budget.take(unpackedBytes(parts.map(({ packed }) => packed)))
  const pages = new Map<string, ChangePage>()
  for (const [apply, own] of Map.groupBy(parts, (part) => part.apply)) {
    const [outlined, ...others] = own.toSorted((one, other) => one.part - other.part)
    if (outlined === undefined) continue
    // Applies of the first releases have no outline, and are read as a whole.
    const whole: ApplyChangeRow[] = []
    const { outline, firstPart } = await storedOutline(outlined.packed, async () => {
      whole.push(...(await readDomain(database, domain.id, (sql) => fetchApplyChanges(sql, domain.id, apply))))
      return whole
    })
    const read = firstPart === 0 ? whole : await unpackChanges(others.map(({ packed }) => packed))
    const skipped = firstPart === 0 ? offset : offset % CHANGES_IN_PART
    pages.set(apply, { changes: read.slice(skipped, skipped + first), size: outline.size })
  }
  return pages
}

/** The outline, and the parts with these changes, which are counted from 1. */
function partsOf(offset: number, first: number): readonly number[] {
  const from = Math.floor(offset / CHANGES_IN_PART)
  const to = Math.floor((offset + Math.max(first, 1) - 1) / CHANGES_IN_PART)
  return [0, ...Array.from({ length: to - from + 1 }, (_, index) => from + index + 1)]
}

function tooMany(applies: number): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `the changes of ${applies} applies are too many to be read at once; ask for fewer applies, or fewer changes`,
  )
}
