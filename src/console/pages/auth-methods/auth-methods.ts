import { listMethods } from '../../../platform/access/methods/methods.ts'
import { html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { table } from '../../parts/table.ts'
import { accessTabs } from '../access-tabs.ts'

/** `/auth-methods`: the ways in which people and programs prove who they are. */
export const AUTH_METHODS_PAGE = declarePage({
  path: '/auth-methods',
  area: 'access',
  right: 'access:admin',
  keepsWithin: false,
  async show(visit) {
    const methods = await listMethods(visit.context)
    const rows = methods.map((method) => ({
      sign: statusSign(method.status),
      cells: [
        html`<a href="/auth-methods/${method.uuid}">${method.name}</a>`,
        method.kind === 'internal' ? 'this platform' : html`<code>${method.configuration.issuer}</code>`,
        statusText(method.status),
      ],
    }))
    return {
      title: 'Authentication methods',
      verdict: html`People and programs sign in by these methods. Grants decide what they may do.`,
      actions: [html`<a class="button main" href="/auth-methods/new">New OpenID provider</a>`],
      tabs: accessTabs(visit, 'auth-methods'),
      body: table([{ label: 'Method' }, { label: 'Who says it' }, { label: 'Status' }], rows),
    }
  },
})
