import { randomBytes } from 'node:crypto'
import { html } from '../../../server/html.ts'
import { masked } from '../../../server/login/csrf.ts'
import { apiHrefs } from '../../assets.ts'
import { SEES_ANYTHING } from '../../frame/areas.ts'
import { declarePage } from '../../page.ts'

/** `/api`: GraphiQL, which asks `/graphql` with the rights of the person. */
export const API_PAGE = declarePage({
  path: '/api',
  area: 'home',
  ...SEES_ANYTHING,
  keepsWithin: true,
  show({ csrf }) {
    const hrefs = apiHrefs()
    const styleNonce = randomBytes(18).toString('base64')
    const view = { title: 'API', crumbs: [{ label: 'Home', href: '/' }], isWide: true }
    if (hrefs === null)
      return Promise.resolve({
        ...view,
        body: html`<p>
          GraphiQL is a development package of Holdfast, and is not installed here. Run <code>npm ci</code> without
          <code>--omit=dev</code>.
        </p>`,
      })
    return Promise.resolve({
      ...view,
      ...hrefs,
      styleNonce,
      verdict: html`Queries and mutations run at once, with your rights. This page forgets them when you leave it.`,
      body: html`<div id="graphiql" data-csrf="${masked(csrf)}" data-nonce="${styleNonce}">
        <p>GraphiQL needs JavaScript.</p>
      </div>`,
    })
  },
})
