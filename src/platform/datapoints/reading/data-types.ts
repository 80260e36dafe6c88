import type { DataType } from '../../../../generated/import-document.ts'
import { kindOf } from '../../../datapoints/rules/kind-of.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'

// A series is of one kind of value. When a characteristic gets another dataType, what was stored before stays in another
// series, and is read under the type that it was stored as.

/** What values of a kind are called where the characteristic says something else by now: texts are all kept alike. */
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

/** Those of a dataType, where one is named. */
export function ofDataType<Series extends Typed>(
  series: readonly Series[],
  dataType: string | undefined,
): readonly Series[] {
  return dataType === undefined ? series : series.filter(({ kind }) => kind === kindOf({ dataType }))
}

/** Those of the dataTypes that the characteristics have now. */
export function ofPresentType<Series extends Typed>(series: readonly Series[]): readonly Series[] {
  return series.filter(({ isEarlier }) => isEarlier !== true)
}
