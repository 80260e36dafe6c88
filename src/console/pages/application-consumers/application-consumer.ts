import { newClientSecret } from '../../../platform/access/clients/client-secret.ts'
import { CLIENT_TYPE, identifierOf } from '../../../platform/access/clients/clients.ts'
import { recordDocument } from '../../../platform/imports/export-document.ts'
import { updateRecord } from '../../../platform/records/change-record.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { recordForm } from '../../declared/declared-fields.ts'
import { changeForm, readFields } from '../../declared/form.ts'
import { requireRecord, statusActs, statusButtons, thingPage, type Refused } from '../../declared/thing-page.ts'
import { recordFields } from '../../declared/view.ts'
import type { View, Visit } from '../../page.ts'
import { block, code, notice } from '../../parts/block.ts'
import { act } from '../../parts/fields.ts'
import { fromGit } from '../../parts/from-git.ts'
import { secret } from '../../parts/secret.ts'
import { date } from '../../parts/time.ts'
import { unchangedSince } from '../../shown-with.ts'
import { yamlBlock } from '../model/record-yaml.ts'
import { CONSUMER_WORDS } from './new.ts'

const FIELDS = recordForm(CLIENT_TYPE, 'patch', { own: CONSUMER_WORDS })
const ENDS = 'Then nobody can sign in by it.'

/** `/application-consumers/:slug` */
export const APPLICATION_CONSUMER_PAGE = thingPage<StoredRecord>({
  path: '/application-consumers/:slug',
  area: 'access',
  right: 'model:read',
  rightToChange: 'access:admin',
  keepsWithin: false,
  crumbs: [{ label: 'Application consumers', href: '/application-consumers' }],
  find: (visit) => requireRecord(visit, CLIENT_TYPE, visit.param('slug'), 'application'),
  acts: {
    save: {
      carryOut: (visit, record, filled) =>
        change(visit, record, readFields(FIELDS, filled, record.body), unchangedSince(record)),
    },
    rotate: {
      ask: (_, { body }) => ({
        title: `A new secret for ${String(body['name'])}?`,
        cost: html`The present secret ends at once. The application cannot sign in until it has the new one.`,
        button: 'Make a new secret',
      }),
      async carryOut(visit, record) {
        const secret = newClientSecret()
        await change(visit, record, { secret })
        return { to: visit.url.pathname, once: { secret } }
      },
    },
    ...statusActs<StoredRecord>(
      ({ body }, word) => ({
        title: `${word} ${String(body['name'])}?`,
        cost:
          word === 'Archive'
            ? html`${ENDS} It keeps its client_id and its history, and you can activate it again.`
            : html`${ENDS} You can activate it again.`,
        button: `${word} the application`,
      }),
      (visit, record, status) => change(visit, record, { status }),
    ),
  },
  show: (visit, record, refused) => {
    const made = visit.once?.['secret']
    return made === undefined ? shown(visit, record, refused) : secretView(visit, record, made)
  },
})

async function change(
  { context, noteAccessChange }: Visit,
  { key }: StoredRecord,
  patch: JsonObject,
  check?: (live: StoredRecord) => void,
): Promise<void> {
  const { uuid } = await updateRecord(context, CLIENT_TYPE.name, key, patch, [], check)
  noteAccessChange('application consumer changed', { target: uuid })
}

async function shown(visit: Visit, record: StoredRecord, refused: Refused | null): Promise<View> {
  const { caller, csrf, now, zone } = visit
  const { body, updatedAt } = record
  const status = String(body['status'])
  const may = caller.rights.has('access:admin')
  const filled = refused?.filled.text('act') === 'save' ? refused.filled : null
  return {
    title: String(body['name']),
    place: [
      html`client_id <code>${identifierOf(record)}</code>`,
      html`${status.toLowerCase()}`,
      html`changed ${date(updatedAt, now, zone)}`,
    ],
    actions: may ? [act(csrf, 'New secret…', { act: 'ask-rotate' }), ...statusButtons(csrf, status)] : [],
    body: html`${refused?.problem ?? null} ${await fromGit(visit, CLIENT_TYPE.name)}
    ${
      may
        ? block({ title: 'What it may do', body: changeForm({ csrf, fields: FIELDS, values: body, filled }) })
        : html`${notice('info', 'You may look at this, and not change it', 'An administrator can.')}
          ${recordFields(visit, record)}`
    }`,
  }
}

/** Shows the secret of a consumer once, after the form that created it. */
async function secretView({ origin, context }: Visit, record: StoredRecord, text: string): Promise<View> {
  const document = await recordDocument(context, record)
  const identifier = identifierOf(record)
  return {
    title: String(record.body['name']),
    place: [html`client_id <code>${identifier}</code>`],
    body: secret({
      label: 'Client secret',
      text,
      done: `/application-consumers/${encodeURIComponent(record.key)}`,
      next: html`${block({
        title: 'Does it work?',
        note: 'the answer names the error: invalid_client means the secret, unsupported_grant_type does not',
        body: code('try', `curl -u '${identifier}:…' -d grant_type=client_credentials ${origin}/authenticate/token`),
      })}
      ${yamlBlock(document, { title: 'In Git', note: 'with the secret in the environment of the apply, never in the file' })}`,
    }),
  }
}
