import { kindOf } from '../../../../records/data-types/data-type.ts'
import type { ValueKind } from '../../../../records/values/value.ts'

// A series has values of one kind. When a characteristic gets another dataType, earlier values stay in their own
// series. They are read with the type of that time.

interface Typed {
  readonly kind: ValueKind
  readonly isEarlier?: boolean
}

/** The series of a dataType, if one is named; otherwise all. */
export function ofDataType<Series extends Typed>(
  series: readonly Series[],
  dataType: string | undefined,
): readonly Series[] {
  return dataType === undefined ? series : series.filter(({ kind }) => kind === kindOf({ dataType }))
}

/** The series of the present dataTypes of their characteristics. */
export function ofPresentType<Series extends Typed>(series: readonly Series[]): readonly Series[] {
  return series.filter(({ isEarlier }) => isEarlier !== true)
}
