import { withArticle } from '../../lib/article.ts'
import type { RecordType } from '../../records/record-type.ts'

/** The query for one record, such as `characteristic`. The query for many has the name of the record type. */
export function singular(type: RecordType): string {
  return type.definition.charAt(0).toLowerCase() + type.definition.slice(1)
}

/** For example `A characteristic`, `An event model`. */
export function spokenWithArticle(type: RecordType): string {
  const words = withArticle(spoken(type))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** For example `event model`. */
export function spoken({ definition }: { readonly definition: string }): string {
  return definition.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}
