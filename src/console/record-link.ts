import { ACCESS, type RecordKey } from '../records/record-type.ts'
import { html, type Html } from '../server/html.ts'

/** The page of a record. Grants have none of their own, and stand in a list. */
export function recordHref({ type, key }: RecordKey): string {
  if (type === ACCESS) return `/model/${type}`
  const text = key.toWellFormed()
  // Browsers take the parts `.` and `..` out of a path, unless the slashes beside them are written otherwise.
  const hasDots = text.split('/').some((part) => /^\.{1,2}$/.test(part))
  return `/model/${type}/${hasDots ? encodeURIComponent(text) : text.split('/').map(encodeURIComponent).join('/')}`
}

export function recordLink(record: RecordKey): Html {
  return html`<a href="${recordHref(record)}"><code>${record.key}</code></a>`
}
