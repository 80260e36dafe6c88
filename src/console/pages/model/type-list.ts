import { ACCESS, DOCUMENT_TYPE_NAMES, type RecordTypeName } from '../../../records/record-type.ts'
import { recordType } from '../../../records/registry.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import type { ModelOverview } from '../../../platform/records/model-overview.ts'
import { html, type Html } from '../../../server/html.ts'

/** The list of record types at the side. Types of devices and types of people and programs are separate groups. */
export function typeList(current: RecordTypeName | null, { counts }: ModelOverview): Html {
  const link = (type: RecordTypeName) => typeLink(type, counts.get(type)?.records ?? 0, type === current)
  return html`<nav class="list" aria-label="Record types">
    <h2>Devices</h2>
    <ul>
      ${DOCUMENT_TYPE_NAMES.filter((type) => !isOfPeople(type)).map(link)}
    </ul>
    <h2>People and programs</h2>
    <ul>
      ${DOCUMENT_TYPE_NAMES.filter(isOfPeople).map(link)} ${counts.has(ACCESS) ? link(ACCESS) : null}
    </ul>
  </nav>`
}

function isOfPeople(type: RecordTypeName): boolean {
  return recordType(type).signsIn !== undefined || type === DATA_TYPES.unit
}

function typeLink(type: RecordTypeName, count: number, isCurrent: boolean): Html {
  return html`<li>
    <a href="/model/${type}" ${isCurrent ? html`aria-current="page"` : null}
      >${type} <span class="count">${count.toLocaleString('en-US')}</span></a
    >
  </li>`
}
