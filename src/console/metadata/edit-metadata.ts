import type { MetadataItem } from '../../../generated/import-document.ts'
import { listDeclaredMetadata } from '../../platform/records/metadata-types.ts'
import { publicError } from '../../server/requests/error-response.ts'
import { html, type Html } from '../../server/html.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Filled } from '../form.ts'
import type { Crumb, Redirect, View, Visit } from '../page.ts'
import { notice } from '../parts/block.ts'
import { keyRefused, metadataFieldsOf, readMetadata, type StoredMetadata } from './metadata-form.ts'
import { metadataForm } from './metadata-view.ts'

/** Something whose metadata is edited. */
export interface MetadataHolder {
  /** The kind that metadata types name, such as `SYSTEM`. */
  readonly entity: string
  readonly name: string
  readonly stored: StoredMetadata
  readonly crumbs: readonly Crumb[]
  /** The address of its page. */
  readonly home: string
  /** A notice above the form, such as that Git manages the metadata. */
  readonly before?: Html | null
  save(items: readonly MetadataItem[]): Promise<unknown>
}

/** The form with what is stored. */
export async function showMetadata(visit: Visit, holder: MetadataHolder): Promise<View> {
  return formView(visit, holder, null, new Map(), null)
}

/** Stores what the form says. What is wrong is told at its field. */
export async function receiveMetadata(visit: Visit, holder: MetadataHolder, filled: Filled): Promise<View | Redirect> {
  const declared = await listDeclaredMetadata(visit.context, holder.entity)
  const { items, problems, isDisputed } = readMetadata(metadataFieldsOf(declared, holder.stored), filled)
  if (problems.size > 0)
    return { ...(await formView(visit, holder, filled, problems, null)), status: isDisputed ? 409 : 422 }
  try {
    await holder.save(items)
    return { to: holder.home }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { message } = publicError(error)
    const key = keyRefused(message, items)
    const told = key === null ? new Map<string, string>() : new Map([[key, afterKey(message, key)]])
    const view = await formView(visit, holder, filled, told, key === null ? message : null)
    return { ...view, status: error.code === 'CONFLICT' ? 409 : 422 }
  }
}

function isRefusal(error: unknown): error is HoldfastError {
  return error instanceof HoldfastError && ['BAD_USER_INPUT', 'CONFLICT', 'BLOCKED'].includes(error.code)
}

/** `metadata "serial": …` without the key, which the field has; another sentence stays whole. */
function afterKey(message: string, key: string): string {
  const begin = `metadata ${JSON.stringify(key)}: `
  const at = message.indexOf(begin)
  return at === -1 ? message : message.slice(at + begin.length)
}

async function formView(
  { context, csrf }: Visit,
  { entity, name, stored, crumbs, home, before = null }: MetadataHolder,
  filled: Filled | null,
  problems: ReadonlyMap<string, string>,
  refused: string | null,
): Promise<View> {
  const fields = metadataFieldsOf(await listDeclaredMetadata(context, entity), stored)
  const isWrong = problems.size > 0 || refused !== null
  return {
    title: `Metadata of ${name}`,
    crumbs,
    verdict: html`The form has a field for each key that the model declares for <code>${entity}</code>. An empty field
      is no value.`,
    body: html`${isWrong ? notice('bad', 'Nothing was changed', refused ?? 'The fields show what to correct.') : before}
    ${metadataForm({ csrf, fields, filled, problems, back: home })}`,
  }
}
