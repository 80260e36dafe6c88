import { rulesOf } from '../../../auth/method-configuration.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { checkIssuer, type IssuerStep } from '../../../platform/access/delegated/provider/check-issuer.ts'
import { callbackOf } from '../../../platform/access/methods/callback.ts'
import { adviceOnMethod } from '../../../platform/access/methods/method-advice.ts'
import { isForPeople } from '../../../platform/access/methods/method.ts'
import {
  findMethod,
  listMethods,
  updateMethod,
  type AuthenticationMethod,
  type DelegatedMethod,
} from '../../../platform/access/methods/methods.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, withProblems, type Filled } from '../../form.ts'
import { namedUuid } from '../../named-uuid.ts'
import { declarePage, type Redirect, type View, type Visit } from '../../page.ts'
import { block, notice } from '../../parts/block.ts'
import { act, form, send } from '../../parts/fields.ts'
import { confirmation } from '../../parts/confirm.ts'
import { orRefused } from '../../parts/refused.ts'
import { table } from '../../parts/table.ts'
import { issuerCheck } from './issuer-check.ts'
import { merged, mergedOrRefused, shownWith, unchangedSince } from '../../shown-with.ts'
import { configurationOf, methodFields, shownOf } from './method-form.ts'

/** `/auth-methods/:uuid` */
export const AUTH_METHOD_PAGE = declarePage({
  path: '/auth-methods/:uuid',
  area: 'access',
  right: 'access:admin',
  keepsWithin: false,
  show: async (visit) => shown(visit, await require(visit)),
  receive: (visit, filled) =>
    orRefused(
      () => carryOut(visit, filled),
      async (problem, details) =>
        shown(visit, await require(visit), { filled: withProblems(filled, details), problem }),
    ),
})

const CRUMBS = [{ label: 'Authentication methods', href: '/auth-methods' }]

async function require(visit: Visit): Promise<AuthenticationMethod> {
  const uuid = namedUuid(visit, 'authentication method')
  const method = await findMethod(visit.context, uuid)
  if (method === null) throw new HoldfastError('NOT_FOUND', `there is no authentication method ${uuid}`)
  return method
}

const STATUS = { activate: 'ACTIVATED', deactivate: 'DEACTIVATED', archive: 'ARCHIVED' } as const

async function carryOut(visit: Visit, filled: Filled): Promise<View | Redirect> {
  const method = await require(visit)
  const here = { to: `/auth-methods/${method.uuid}` }
  const wanted = filled.text('act')
  if (wanted === 'check' && method.kind !== 'internal')
    return shown(visit, method, { steps: await checkIssuer(visit.context, method.configuration.issuer) })
  if (wanted === 'save' && method.kind !== 'internal') {
    const wished = mergedOrRefused(filled, shownOf(method.name, method.configuration))
    const patch = { name: wished.text('name'), configuration: configurationOf(wished) }
    await updateMethod(visit.context, method.uuid, patch, unchangedSince(method))
    visit.noteAccessChange('method changed', { target: method.uuid })
    return here
  }
  if (wanted === 'match-users') {
    await updateMethod(visit.context, method.uuid, { configuration: { matchesUsers: true } })
    visit.noteAccessChange('method changed', { target: method.uuid })
    return here
  }
  if (wanted === 'ask-deactivate' || wanted === 'ask-archive' || wanted === 'ask-match-users')
    return ask(visit, method, wanted)
  if (wanted !== 'activate' && wanted !== 'deactivate' && wanted !== 'archive')
    throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
  if (wanted === 'activate' && method.kind !== 'internal') {
    const steps = await checkIssuer(visit.context, method.configuration.issuer)
    if (steps.some(({ remedy }) => remedy !== null))
      return { ...(await shown(visit, method, { steps, problem: notReachable() })), status: 409 }
  }
  await updateMethod(visit.context, method.uuid, { status: STATUS[wanted] })
  visit.noteAccessChange('method changed', { target: method.uuid })
  return here
}

const NOBODY = html`Nobody can sign in by it any more, and everybody who signed in by it is signed out. You can activate
it again.`
const USERS = html`Everybody with the verified address of a user of the model then is that user, without the right to
administer. Everybody who signed in by this method is signed out.`

const QUESTIONS = {
  'ask-deactivate': { title: 'Deactivate', cost: NOBODY, act: 'deactivate', button: 'Deactivate the method' },
  'ask-archive': { title: 'Archive', cost: NOBODY, act: 'archive', button: 'Archive the method' },
  'ask-match-users': { title: 'Let users of the model in by', cost: USERS, act: 'match-users', button: 'Let them in' },
} as const

function ask(visit: Visit, { name }: AuthenticationMethod, wanted: keyof typeof QUESTIONS): View {
  const { title, ...question } = QUESTIONS[wanted]
  return confirmation(visit, { ...question, title: `${title} ${name}?`, crumbs: CRUMBS, back: '?' })
}

function notReachable(): Html {
  return notice(
    'bad',
    'Nothing was changed',
    'Nobody could sign in by a provider that cannot be reached. Look at the steps below.',
  )
}

interface More {
  readonly filled?: Filled
  readonly problem?: Html
  readonly steps?: readonly IssuerStep[]
}

async function shown(visit: Visit, method: AuthenticationMethod, more: More = {}): Promise<View> {
  return {
    title: method.name,
    crumbs: CRUMBS,
    place: [html`${method.status.toLowerCase()}`, html`<code>${method.uuid}</code>`],
    actions: actions(visit, method),
    body: html`${more.problem ?? null}
    ${
      method.kind === 'internal'
        ? html`<p>
            People sign in with the password that they set by a link, machine users with theirs from the model.
          </p>`
        : delegated(visit, method, more, await listMethods(visit.context))
    }`,
  }
}

function actions({ csrf }: Visit, { status, kind }: AuthenticationMethod): readonly Html[] {
  const look = kind === 'internal' ? [] : [act(csrf, 'Look at the issuer', { act: 'check' })]
  if (status === 'ACTIVATED') return [...look, act(csrf, 'Deactivate…', { act: 'ask-deactivate' })]
  return [...look, act(csrf, 'Activate', { act: 'activate' }), act(csrf, 'Archive…', { act: 'ask-archive' })]
}

function delegated(
  { csrf, origin }: Visit,
  method: DelegatedMethod,
  more: More,
  methods: readonly AuthenticationMethod[],
): Html {
  const { name, configuration } = method
  const advice = adviceOnMethod(method, methods)
  const stored = shownOf(name, configuration)
  const filled = more.filled?.has('issuer') === true ? merged(more.filled, stored) : filledWith(stored)
  return html`<div class="beside">
    <div class="blocks">
      ${advice === null ? null : notice('warn', 'Worth knowing', advice)} ${matchUsers(csrf, method)}
      ${isForPeople(method) ? redirectUri(origin + callbackOf(method, methods)) : null}
      ${block({ title: 'Who is let in', body: whoIsLetIn(configuration) })}
      ${block({
        title: 'Configuration',
        note: 'a change ends what was given under the old one',
        body: form(
          csrf,
          html`<input type="hidden" name="act" value="save" />${shownWith(stored)} ${methodFields(filled)}
            ${send('Save')}`,
        ),
      })}
    </div>
    <div class="blocks">${issuerCheck(more.steps ?? null)}</div>
  </div>`
}

/** Asks to confirm a method of an earlier release, whose people users of the model could not be without `emailDomains`. */
function matchUsers(csrf: string, method: DelegatedMethod): Html | null {
  const { emailDomains, matchesUsers } = method.configuration
  if (matchesUsers || emailDomains.length > 0 || !isForPeople(method)) return null
  return act(csrf, 'Let users of the model in by it…', { act: 'ask-match-users' })
}

function redirectUri(address: string): Html {
  return block({
    title: 'Redirect URI',
    note: 'register it at the provider',
    body: html`<p><code>${address}</code></p>`,
  })
}

function whoIsLetIn(configuration: DelegatedMethod['configuration']): Html {
  const rules = rulesOf(configuration)
  const everybody = {
    name: 'Everybody who has an account there',
    claims: {},
    scopes: configuration.scopes,
    machineUser: null,
  }
  const list = table(
    [{ label: 'Who' }, { label: 'As' }, { label: 'At most' }],
    (rules.length === 0 ? [everybody] : rules).map(({ name, claims, scopes, machineUser }) => ({
      cells: [
        html`${name}${Object.keys(claims).length === 0 ? null : html`<code class="under">${JSON.stringify(claims)}</code>`}`,
        machineUser ?? 'the person of the token',
        scopes.join(' '),
      ],
    })),
  )
  return html`${list}${runsByHand(configuration)}`
}

/** Names the rights of runs by hand, because readers overlook them in the claims. */
function runsByHand({ githubActions }: DelegatedMethod['configuration']): Html | null {
  if (githubActions === null) return null
  const may = githubActions.runsByHand ? 'may apply, in the environment of the rule' : 'may only plan'
  return html`<p>Runs by hand ${may} (<code>runsByHand</code> of <code>githubActions</code>).</p>`
}
