import { HoldfastError } from '../../../lib/errors.ts'
import { listComponents } from '../../../platform/systems/components.ts'
import { findSystem } from '../../../platform/systems/systems.ts'
import { checkUuid } from '../../../server/checked-arguments.ts'
import { html } from '../../../server/login/html.ts'
import { declarePage } from '../../page.ts'
import { block, empty, pairs } from '../../parts/block.ts'
import { table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { systemTabs } from './system-tabs.ts'

const MOST_COMPONENTS = 200

/** `/systems/:uuid`: what a system consists of. */
export const SYSTEM_PAGE = declarePage({
  path: '/systems/:uuid',
  area: 'systems',
  right: 'data:read',
  keepsWithin: true,
  async show({ context, actor, param, now, zone }) {
    const uuid = checkUuid(param('uuid'), 'uuid')
    const system = await findSystem(context, actor, uuid)
    if (system === null) throw new HoldfastError('NOT_FOUND', `there is no system ${uuid}`)
    const components = await listComponents(
      context,
      actor,
      { systems: [uuid] },
      { first: MOST_COMPONENTS, after: null },
    )
    const rows = components.items.map(({ name, componentModel, status, updatedAt }) => ({
      cells: [
        name,
        html`<a href="/model/componentModels/${encodeURIComponent(componentModel)}"><code>${componentModel}</code></a>`,
        status.toLowerCase(),
        date(updatedAt, now, zone),
      ],
    }))
    return {
      title: system.name,
      crumbs: [{ label: 'Systems', href: '/systems' }],
      place: [html`<code>${uuid}</code>`, html`${system.status.toLowerCase()}`],
      tabs: systemTabs(uuid, 'overview'),
      body: html`<div class="blocks">
        ${block({
          title: 'Components',
          note: components.total.toLocaleString('en-US'),
          body: rows.length === 0 ? empty('This system has no components yet.') : table(COLUMNS, rows),
        })}
        ${
          system.metadataKeyValueStore.length === 0
            ? null
            : block({
                title: 'Metadata',
                body: pairs(
                  system.metadataKeyValueStore.map(({ key, value }) => [html`<code>${key}</code>`, String(value)]),
                ),
              })
        }
      </div>`,
    }
  },
})

const COLUMNS = [{ label: 'Component' }, { label: 'Model' }, { label: 'Status' }, { label: 'Changed', isNumber: true }]
