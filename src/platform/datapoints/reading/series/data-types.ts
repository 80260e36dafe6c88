import type { DataType } from '../../../../../generated/import-document.ts'
import { kindOf } from '../../../../datapoints/rules/compile-rules.ts'
import type { ValueKind } from '../../../../datapoints/rules/value.ts'

// A series has values of one kind. When a characteristic gets another dataType, earlier values stay in another series
// and are read with the type that they were stored as.

/** The dataType for values of a kind where the characteristic has another one now. All texts are stored alike. */
export const TYPE_OF_KIND: { readonly [kind in ValueKind]: DataType } = {
  float: 'FLOAT',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  text: 'STRING',
}

interface Typed {
  readonly kind: ValueKind
  readonly isEarlier?: boolean
}

/** The series of a dataType, where one is named. */
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
