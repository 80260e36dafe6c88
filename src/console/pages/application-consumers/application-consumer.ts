import { HoldfastError } from '../../../lib/errors.ts'
import { newClientSecret } from '../../../platform/access/clients/client-secret.ts'
import { CLIENT_TYPE, identifierOf } from '../../../platform/access/clients/clients.ts'
import { updateRecord } from '../../../platform/records/change-record.ts'
import { findRecord } from '../../../platform/records/read-records.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { filledWith, withProblems, type Filled } from '../../form.ts'
import { declarePage, type Redirect, type View, type Visit } from '../../page.ts'
import { block, notice } from '../../parts/block.ts'
import { act, form, send } from '../../parts/fields.ts'
import { fromGit } from '../../parts/from-git.ts'
import { confirmation } from '../../parts/confirm.ts'
import { orRefused } from '../../parts/refused.ts'
import { statusOfAct } from '../../parts/status-act.ts'
import { date } from '../../parts/time.ts'
import { merged, mergedOrRefused, shownWith, unchangedSince } from '../../shown-with.ts'
import { consumerFields, consumerOf, shownOf } from './consumer-form.ts'
import { secretView } from './secret-view.ts'

const CRUMBS = [{ label: 'Application consumers', href: '/application-consumers' }]

/** `/application-consumers/:slug` */
export const APPLICATION_CONSUMER_PAGE = declarePage({
  path: '/application-consumers/:slug',
  area: 'access',
  right: 'model:read',
  rightToChange: 'access:admin',
  keepsWithin: false,
  show: async (visit) => {
    const [record, secret] = [await require(visit), visit.once?.['secret']]
    return secret === undefined ? shown(visit, record) : secretView(visit, record, secret, CRUMBS)
  },
  receive(visit, filled) {
    const key = visit.param('slug')
    return orRefused(
      () => carryOut(visit, key, filled),
      async (problem, details) =>
        shown(visit, await require(visit), { filled: withProblems(filled, details), problem }),
    )
  },
})

async function require({ context, actor, param }: Visit): Promise<StoredRecord> {
  const record = await findRecord(context, actor, CLIENT_TYPE.name, param('slug'))
  if (record === null) throw new HoldfastError('NOT_FOUND', `there is no application ${param('slug')}`)
  return record
}

async function carryOut(visit: Visit, key: string, filled: Filled): Promise<View | Redirect> {
  const [{ context }, act] = [visit, filled.text('act')]
  const here = { to: `/application-consumers/${encodeURIComponent(key)}` }
  const asked = askedIn(act)
  if (asked !== undefined) return ask(visit, await require(visit), asked)
  if (act === 'rotate') {
    const secret = newClientSecret()
    const record = await updateRecord(context, CLIENT_TYPE.name, key, { secret }, [])
    visit.noteAccessChange('application consumer changed', { target: record.uuid })
    return { ...here, once: { secret } }
  }
  if (act === 'save') await save(visit, await require(visit), filled)
  else await updateRecord(context, CLIENT_TYPE.name, key, { status: statusOfAct(act) }, [])
  const { uuid } = await require(visit)
  visit.noteAccessChange('application consumer changed', { target: uuid })
  return here
}

async function save({ context }: Visit, record: StoredRecord, filled: Filled): Promise<void> {
  const patch = consumerOf(mergedOrRefused(filled, shownOf(record.body)), record.body)
  await updateRecord(context, CLIENT_TYPE.name, record.key, patch, [], unchangedSince(record))
}

function ask(visit: Visit, record: StoredRecord, act: keyof typeof QUESTIONS): View {
  const name = String(record.body['name'])
  const { title, cost, button } = QUESTIONS[act]
  return confirmation(visit, { title: title(name), crumbs: CRUMBS, cost: html`${cost}`, act, button, back: '?' })
}

const ENDS = 'Then nobody can sign in by it.'

const QUESTIONS = {
  rotate: {
    title: (name: string) => `A new secret for ${name}?`,
    cost: 'The present secret ends at once. The application cannot sign in until it has the new one.',
    button: 'Make a new secret',
  },
  deactivate: {
    title: (name: string) => `Deactivate ${name}?`,
    cost: `${ENDS} You can activate it again.`,
    button: 'Deactivate the application',
  },
  archive: {
    title: (name: string) => `Archive ${name}?`,
    cost: `${ENDS} It keeps its client_id and its history, and you can activate it again.`,
    button: 'Archive the application',
  },
} as const

/** The question of a form, such as `ask-rotate`. */
function askedIn(act: string): keyof typeof QUESTIONS | undefined {
  return (['rotate', 'deactivate', 'archive'] as const).find((one) => act === `ask-${one}`)
}

interface Again {
  readonly filled: Filled
  readonly problem: Html
}

async function shown(visit: Visit, record: StoredRecord, again?: Again): Promise<View> {
  const { caller, csrf, now, zone } = visit
  const status = String(record.body['status'])
  const may = caller.rights.has('access:admin')
  const stored = shownOf(record.body)
  const filled = again?.filled.has('name') === true ? merged(again.filled, stored) : filledWith(stored)
  return {
    title: String(record.body['name']),
    crumbs: CRUMBS,
    place: [
      html`client_id <code>${identifierOf(record)}</code>`,
      html`${status.toLowerCase()}`,
      html`changed ${date(record.updatedAt, now, zone)}`,
    ],
    actions: may ? actions(csrf, status) : [],
    body: html`${again?.problem ?? null} ${await fromGit(visit, CLIENT_TYPE.name)}
    ${
      may
        ? block({
            title: 'What it may do',
            body: form(
              csrf,
              html`<input type="hidden" name="act" value="save" />${shownWith(stored)} ${consumerFields(filled)}
                ${send('Save')}`,
            ),
          })
        : notice('info', 'You may look at this, and not change it', 'An administrator can.')
    }`,
  }
}

function actions(csrf: string, status: string): readonly Html[] {
  const rotate = act(csrf, 'New secret…', { act: 'ask-rotate' })
  if (status === 'ACTIVATED') return [rotate, act(csrf, 'Deactivate…', { act: 'ask-deactivate' })]
  const activate = act(csrf, 'Activate', { act: 'activate' })
  return status === 'ARCHIVED' ? [activate] : [activate, act(csrf, 'Archive…', { act: 'ask-archive' })]
}
