import { ACCESS, type RecordKey } from '../records/record-type.ts'
import { html, type Html } from '../server/html.ts'

/** The address of a record. Grants have no page of their own, and lead to their list. */
export function recordHref({ type, key }: RecordKey): string {
  if (type === ACCESS) return `/model/${type}`
  const text = key.toWellFormed()
  // Browsers resolve the path segments `.` and `..`, unless the slashes next to them are encoded.
  const hasDots = text.split('/').some((part) => /^\.{1,2}$/.test(part))
  return `/model/${type}/${hasDots ? encodeURIComponent(text) : text.split('/').map(encodeURIComponent).join('/')}`
}

export function recordLink(record: RecordKey): Html {
  return html`<a href="${recordHref(record)}"><code>${record.key}</code></a>`
}
