import { counted } from '../../../lib/counted.ts'
import { driftList } from '../../../platform/imports/history/drift.ts'
import { html } from '../../../server/html.ts'
import { changesView } from '../../changes/changes-view.ts'
import { shownAt } from '../../changes/shown.ts'
import { declarePage } from '../../page.ts'
import { empty, notice } from '../../parts/block.ts'
import { appliesTabs } from './applies-tabs.ts'

/** `/drift`: the changes that people made on the platform since the last apply. */
export const DRIFT_PAGE = declarePage({
  path: '/drift',
  area: 'applies',
  right: 'model:read',
  keepsWithin: false,
  async show(visit) {
    const list = await driftList(visit.context)
    const { size } = list.outline
    const shown = shownAt(visit, { isDone: true, place: () => null })
    return {
      title:
        size === 0
          ? 'As the last apply left it'
          : `${counted(size, 'record')} ${size === 1 ? 'differs' : 'differ'} from Git`,
      crumbs: [{ label: 'Applies', href: '/applies' }],
      verdict:
        size === 0
          ? html`Nobody has changed a managed record on the platform since.`
          : html`Changed on the platform since the last apply: value then → value now.`,
      tabs: appliesTabs(visit, 'drift', size),
      body:
        size === 0
          ? empty('Nothing differs. Changes by hand appear on this page and in the next plan.')
          : html`${notice(
              'info',
              'The next apply reverts this',
              'To keep a change, write it into the models. The record’s page has the YAML to paste.',
            )}
            ${await changesView(list, visit.url, shown)}`,
    }
  },
})
