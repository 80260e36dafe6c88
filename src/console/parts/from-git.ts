import { fetchManaged } from '../../platform/records/managed-types.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { html, type Html } from '../../server/html.ts'
import type { Visit } from '../page.ts'
import { notice } from './block.ts'

/** Warns that an import document describes records of this type, so that a manual change becomes drift. */
export async function fromGit({ context }: Visit, type: RecordTypeName): Promise<Html | null> {
  if (!(await fetchManaged(context)).has(type)) return null
  return notice(
    'info',
    html`<code>${type}</code> are managed from Git`,
    'A change here is drift: the next plan shows it, and an apply reverts it. To keep it, change the files.',
  )
}
