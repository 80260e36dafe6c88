import { HoldfastError } from '../../../lib/errors.ts'
import { checkIssuer, type IssuerStep } from '../../../platform/access/delegated/provider/check-issuer.ts'
import { isForPeople } from '../../../platform/access/methods/method.ts'
import {
  findMethod,
  listMethods,
  updateMethod,
  type AuthenticationMethod,
  type DelegatedMethod,
} from '../../../platform/access/methods/methods.ts'
import { entityFields, type EntityOf } from '../../../records/entity.ts'
import { AUTHENTICATION_METHOD } from '../../../records/entities.ts'
import { fieldsInOrder } from '../../../records/shape.ts'
import { shownMethod } from '../../../server/graphql/access/methods.ts'
import { html, type Html } from '../../../server/html.ts'
import { changeForm, readFields } from '../../declared/form.ts'
import { filledWith } from '../../form.ts'
import { statusActs, statusButtons, thingPage, type Refused } from '../../declared/thing-page.ts'
import { fieldsBlock } from '../../declared/view.ts'
import { namedUuid } from '../../named-uuid.ts'
import type { View, Visit } from '../../page.ts'
import { block, notice } from '../../parts/block.ts'
import { act } from '../../parts/fields.ts'
import { table } from '../../parts/table.ts'
import { unchangedSince } from '../../shown-with.ts'
import { issuerCheck } from './issuer-check.ts'
import { METHOD_FIELDS } from './method-fields.ts'

type Patch = Parameters<typeof updateMethod>[2]

const CRUMBS = [{ label: 'Authentication methods', href: '/auth-methods' }]

/** `/auth-methods/:uuid` */
export const AUTH_METHOD_PAGE = thingPage<AuthenticationMethod>({
  path: '/auth-methods/:uuid',
  area: 'access',
  right: AUTHENTICATION_METHOD.rights.read,
  keepsWithin: false,
  crumbs: CRUMBS,
  async find(visit) {
    const uuid = namedUuid(visit, 'authentication method')
    const method = await findMethod(visit.context, uuid)
    if (method === null) throw new HoldfastError('NOT_FOUND', `there is no authentication method ${uuid}`)
    return method
  },
  acts: {
    check: {
      carryOut: async (visit, method) =>
        page(visit, method, null, await checkIssuer(visit.context, requireProvider(method).configuration.issuer)),
    },
    save: {
      async carryOut(visit, method, filled) {
        const { configuration } = requireProvider(method)
        const { name, ...changed } = readFields(METHOD_FIELDS, filled, { ...configuration, name: method.name })
        // A change of the issuer clears the domains, so the form shows the new ones.
        const { emailDomains } = configuration
        const patch = { ...('issuer' in changed && { emailDomains }), ...changed }
        await change(visit, method, { name: name ?? null, configuration: patch }, unchangedSince(method))
      },
    },
    'match-users': {
      ask: (_, { name }) => ({
        title: `Let users of the model sign in by ${name}?`,
        cost: html`Everybody with the verified address of a user of the model then is that user, without the right to
        administer. Everybody who signed in by this method is signed out.`,
        button: 'Let them in',
      }),
      carryOut: (visit, method) => change(visit, method, { configuration: { matchesUsers: true } }),
    },
    ...statusActs<AuthenticationMethod>(
      ({ name }, word) => ({
        title: `${word} ${name}?`,
        cost: html`Nobody can sign in by it any more, and everybody who signed in by it is signed out. You can activate
        it again.`,
        button: `${word} the method`,
      }),
      setStatus,
    ),
  },
  show: (visit, method, refused) => page(visit, method, refused),
})

function requireProvider(method: AuthenticationMethod): DelegatedMethod {
  if (method.kind !== 'internal') return method
  throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
}

async function change(
  { context, noteAccessChange }: Visit,
  { uuid }: AuthenticationMethod,
  patch: Patch,
  check?: (before: AuthenticationMethod) => void,
): Promise<void> {
  await updateMethod(context, uuid, patch, check)
  noteAccessChange('method changed', { target: uuid })
}

const NOT_REACHABLE: Refused = {
  filled: filledWith({}),
  problem: notice(
    'bad',
    'Nothing was changed',
    'Nobody could sign in by a provider that cannot be reached. Look at the steps below.',
  ),
}

/** Refuses to activate a provider that cannot be reached. */
async function setStatus(visit: Visit, method: AuthenticationMethod, status: AuthenticationMethod['status']) {
  if (status === 'ACTIVATED' && method.kind !== 'internal') {
    const steps = await checkIssuer(visit.context, method.configuration.issuer)
    if (steps.some(({ remedy }) => remedy !== null))
      return { ...(await page(visit, method, NOT_REACHABLE, steps)), status: 409 }
  }
  return change(visit, method, { status })
}

async function page(
  visit: Visit,
  method: AuthenticationMethod,
  refused: Refused | null,
  steps: readonly IssuerStep[] | null = null,
): Promise<View> {
  const { csrf } = visit
  const { kind, name, status, uuid } = method
  const look = kind === 'internal' ? [] : [act(csrf, 'Look at the issuer', { act: 'check' })]
  return {
    title: name,
    crumbs: CRUMBS,
    place: [html`${status.toLowerCase()}`, html`<code>${uuid}</code>`],
    actions: [...look, ...statusButtons(csrf, status)],
    body: html`${refused?.problem ?? null}
    ${
      method.kind === 'internal'
        ? html`<p>
            People sign in with the password that they set by a link, machine users with theirs from the model.
          </p>`
        : delegated(visit, method, refused, steps, shownMethod(method, await listMethods(visit.context)))
    }`,
  }
}

/** Fields that the page shows in another place, or in the form. */
const SHOWN = ['uuid', 'status', 'callbackPath', 'advice', 'configuration', 'effectiveRules']
const ELSEWHERE = [...SHOWN, ...METHOD_FIELDS.map(({ name }) => name)]
const FIELDS = [...entityFields(AUTHENTICATION_METHOD), ...fieldsInOrder('OpenIdDelegatedConfiguration')].filter(
  ({ name }) => !ELSEWHERE.includes(name),
)

function delegated(
  visit: Visit,
  method: DelegatedMethod,
  refused: Refused | null,
  steps: readonly IssuerStep[] | null,
  { callbackPath, advice, configuration }: EntityOf<'DomainAuthenticationMethod'>,
): Html {
  const { csrf, origin } = visit
  const values = { ...configuration, kind: method.kind, name: method.name }
  const filled = refused?.filled.text('act') === 'save' ? refused.filled : null
  return html`<div class="beside">
    <div class="blocks">
      ${advice === null ? null : notice('warn', 'Worth knowing', advice)} ${matchUsers(csrf, method)}
      ${callbackPath === null ? null : redirectUri(origin + callbackPath)}
      ${block({ title: 'Who is let in', body: whoIsLetIn(method, configuration?.effectiveRules ?? []) })}
      ${block({
        title: 'Configuration',
        note: 'a change ends what was given under the old one',
        body: changeForm({ csrf, fields: METHOD_FIELDS, values, filled }),
      })}
      ${fieldsBlock(visit, FIELDS, values)}
    </div>
    <div class="blocks">${issuerCheck(steps)}</div>
  </div>`
}

/**
 * The button that lets users of the model sign in by a method of an earlier release. Without `emailDomains`, such a
 * method matches no users of the model.
 */
function matchUsers(csrf: string, method: DelegatedMethod): Html | null {
  const { emailDomains, matchesUsers } = method.configuration
  if (matchesUsers || emailDomains.length > 0 || !isForPeople(method)) return null
  return act(csrf, 'Let users of the model sign in by it…', { act: 'ask-match-users' })
}

function redirectUri(address: string): Html {
  return block({
    title: 'Redirect URI',
    note: 'register it at the provider',
    body: html`<p><code>${address}</code></p>`,
  })
}

type Rules = NonNullable<EntityOf<'DomainAuthenticationMethod'>['configuration']>['effectiveRules']

function whoIsLetIn({ configuration }: DelegatedMethod, rules: Rules): Html {
  const { scopes } = configuration
  const everybody = { name: 'Everybody who has an account there', claims: {}, scopes, machineUser: null }
  const list = table(
    [{ label: 'Who' }, { label: 'As' }, { label: 'At most' }],
    (rules.length === 0 ? [everybody] : rules).map(({ name, claims, scopes: most, machineUser }) => ({
      cells: [
        html`${name}${JSON.stringify(claims) === '{}' ? null : html`<code class="under">${JSON.stringify(claims)}</code>`}`,
        machineUser ?? 'the person of the token',
        most.join(' '),
      ],
    })),
  )
  return html`${list}${runsByHand(configuration)}`
}

/** Names the rights of manually started runs, because readers overlook them in the claims. */
function runsByHand({ githubActions }: DelegatedMethod['configuration']): Html | null {
  if (githubActions === null) return null
  const may = githubActions.runsByHand ? 'may apply, in the environment of the rule' : 'may only plan'
  return html`<p>Runs by hand ${may} (<code>runsByHand</code> of <code>githubActions</code>).</p>`
}
