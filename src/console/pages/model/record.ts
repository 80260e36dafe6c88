import { HoldfastError } from '../../../lib/errors.ts'
import type { Json } from '../../../lib/json.ts'
import { findRecord } from '../../../platform/records/read-records.ts'
import { isDocumentTypeName } from '../../../records/record-type.ts'
import { html, type Html } from '../../../server/login/html.ts'
import { declarePage } from '../../page.ts'
import { block, pairs } from '../../parts/block.ts'
import { date } from '../../parts/time.ts'

/** `/model/:type/:key`: one record. */
export const RECORD_PAGE = declarePage({
  path: '/model/:type/:key{.+}',
  area: 'model',
  right: 'model:read',
  keepsWithin: true,
  async show({ context, actor, param, now, zone }) {
    const [type, key] = [param('type'), param('key')]
    const record = isDocumentTypeName(type) ? await findRecord(context, actor, type, key) : null
    if (record === null) throw new HoldfastError('NOT_FOUND', `the data model has no ${type}/${key}`)
    const { body, createdAt, updatedAt, revision } = record
    return {
      title: key,
      crumbs: [
        { label: 'Model', href: '/model' },
        { label: type, href: `/model/${type}` },
      ],
      ...(typeof body['name'] === 'string' && { verdict: html`${body['name']}` }),
      place: [
        html`changed ${date(updatedAt, now, zone)}`,
        html`created ${date(createdAt, now, zone)}`,
        html`revision ${revision}`,
      ],
      body: html`<div class="blocks">
        ${block({ title: 'Fields', body: pairs(Object.entries(body).map(([name, value]) => [html`<code>${name}</code>`, shown(value)])) })}
      </div>`,
    }
  },
})

function shown(value: Json): Html | string {
  if (typeof value === 'string') return value
  return html`<span class="mono">${JSON.stringify(value)}</span>`
}
