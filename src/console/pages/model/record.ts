import { HoldfastError } from '../../../lib/errors.ts'
import { recordId } from '../../../records/record-id.ts'
import { recordType } from '../../../records/registry.ts'
import { recordFields } from '../../declared/view.ts'
import { metadataBlock } from '../../metadata/metadata-page.ts'
import { isDocumentTypeName } from '../../../records/record-type.ts'
import { recordDocument } from '../../../platform/imports/export-document.ts'
import { driftedAmong } from '../../../platform/records/model-overview.ts'
import { findRecord } from '../../../platform/records/read-records.ts'
import { recordHistory, type RecordHistory } from '../../../platform/records/record-history.ts'
import { checkText } from '../../../server/checked-arguments.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { declarePage, type Visit } from '../../page.ts'
import { rowAfter } from '../../row-after.ts'
import { LONGEST_SENTENCE, shortText } from '../../parts/short-text.ts'
import { date } from '../../parts/time.ts'
import { commitLink, originOf, sourceLink } from '../applies/origin.ts'
import { metadataEntityOf, metadataOf } from '../metadata.ts'
import { historyBlock } from './record-history.ts'
import { referencesBlock } from './record-references.ts'
import { yamlBlock } from './record-yaml.ts'

/** `/model/:type/:key`: one record, its relations, and its origin. */
export const RECORD_PAGE = declarePage({
  path: '/model/:type/:key{.+}',
  area: 'model',
  right: 'model:read',
  keepsWithin: true,
  async show(visit) {
    const { context, actor, url } = visit
    const record = await requireRecord(visit)
    // Only readers with a role in the whole domain see applies.
    const isWhole = actor.units === null
    const before = rowAfter(url, 'before')
    const from =
      before === null ? null : { before, key: checkText(url.searchParams.get('key') ?? record.key, 'the key') }
    const [history, drifted, references, document] = await Promise.all([
      isWhole ? recordHistory(context, record, from) : null,
      isWhole ? driftedAmong(context, [record]) : null,
      referencesBlock(visit, record),
      recordDocument(context, record),
    ])
    return {
      title: record.key,
      crumbs: [
        { label: 'Model', href: '/model' },
        { label: record.type, href: `/model/${record.type}` },
      ],
      ...verdictOf(record),
      // Only the first page of the history contains the latest apply of the record.
      place: placeOf(visit, record, from === null ? history : null, drifted?.get(recordId(record))),
      body: html`<div class="blocks">
        ${references}
        <div class="halves">
          <div class="blocks">
            ${recordFields(visit, record)}
            ${metadataBlock(metadataOf(record), 'It has no metadata.', metadataEditor(visit, record))}
          </div>
          <div class="blocks">
            ${history === null ? null : historyBlock(visit, record, history, drifted?.get(recordId(record)))}
            ${yamlBlock(document)}
          </div>
        </div>
      </div>`,
    }
  },
})

/** The address of the page that edits its metadata; null if the record has none, or if the person may not edit it. */
function metadataEditor({ caller }: Visit, record: StoredRecord): string | null {
  const { signsIn } = recordType(record.type)
  const key = encodeURIComponent(record.key)
  if (metadataEntityOf(record) === null) return null
  if (signsIn === undefined) return caller.rights.has('model:write') ? `/metadata/${record.type}/${key}` : null
  return caller.rights.has('access:admin') ? `/users/${key}/metadata` : null
}

async function requireRecord({ context, actor, param }: Visit): Promise<StoredRecord> {
  const [type, key] = [param('type'), checkText(param('key'), 'the key')]
  const record = isDocumentTypeName(type) ? await findRecord(context, actor, type, key) : null
  if (record === null) throw new HoldfastError('NOT_FOUND', `the data model has no ${type}/${key}`)
  return record
}

function verdictOf({ body }: StoredRecord): { readonly verdict?: Html } {
  const texts = [body['name'], body['description'] ?? body['message']].filter((text) => typeof text === 'string')
  return texts.length === 0 ? {} : { verdict: html`${shortText(texts.join(': '), LONGEST_SENTENCE)}` }
}

/** The line in Git and the apply of the record, or the author of its latest manual change. */
function placeOf(
  { now, zone }: Visit,
  { updatedAt, revision }: StoredRecord,
  history: RecordHistory | null,
  drift: { readonly actor: string; readonly changedAt: Date } | undefined,
): readonly Html[] {
  const [last] = history?.changes ?? []
  if (last === undefined) return [html`changed ${date(updatedAt, now, zone)}`, html`revision ${revision}`]
  const origin = originOf(last.apply.origin)
  const commit = commitLink(origin)
  return [
    ...(last.source === undefined ? [] : [sourceLink(last.source, origin)]),
    ...(commit === null ? [] : [html`commit ${commit}`]),
    html`<a href="/applies/${last.apply.uuid}">applied</a> ${date(last.apply.at, now, zone)} by ${last.apply.actor}`,
    drift === undefined
      ? html`<span class="create">${commit === null ? 'as applied' : 'as in Git'}</span>`
      : html`<a class="update" href="/drift">changed by ${drift.actor}</a> ${date(drift.changedAt, now, zone)}`,
  ]
}
