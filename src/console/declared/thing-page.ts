import { HoldfastError } from '../../lib/errors.ts'
import { findRecord } from '../../platform/records/read-records.ts'
import type { RecordType } from '../../records/record-type.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import { html, type Html } from '../../server/html.ts'
import { withProblems, type Filled } from '../form.ts'
import type { ConsolePage, Crumb, Redirect, View, Visit } from '../page.ts'
import { act, form, send } from '../parts/fields.ts'
import { orRefused } from '../parts/refused.ts'

/** The rejected form, which the page shows again. */
export interface Refused {
  readonly problem: Html
  readonly filled: Filled
}

/** The record that the address names. Throws if there is none. */
export async function requireRecord(
  { context, actor }: Visit,
  { name }: RecordType,
  key: string,
  what: string,
): Promise<StoredRecord> {
  const record = await findRecord(context, actor, name, key)
  if (record === null) throw new HoldfastError('NOT_FOUND', `there is no ${what} ${key}`)
  return record
}

/** The confirmation of an act that interrupts something in use. */
interface Question {
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  /** The consequences, and what does not change. */
  readonly cost: Html
  /** The label of the button. */
  readonly button: string
  /** Hidden fields that name the changed object, if the address does not name it. */
  readonly of?: { readonly [field: string]: string }
}

/** The work of a button or form of the page. */
export interface Act<Thing> {
  /** The confirmation before the act. A form named `ask-` and the name of the act requests it. */
  ask?(visit: Visit, thing: Thing, filled: Filled): Question | Promise<Question>
  /** Returns where the browser continues, if that is not this page. */
  carryOut(visit: Visit, thing: Thing, filled: Filled): Promise<View | Redirect | void>
}

interface ThingPage<Thing> extends Omit<ConsolePage, 'show' | 'receive'> {
  readonly crumbs?: readonly Crumb[]
  /** Finds the object of the page, or throws. */
  find(visit: Visit): Promise<Thing>
  readonly acts: { readonly [name: string]: Act<Thing> }
  show(visit: Visit, thing: Thing, refused: Refused | null): Promise<View>
}

/** A page about one object, with buttons and forms. Each names an act. */
export function thingPage<Thing>({ crumbs = [], find, acts, show, ...page }: ThingPage<Thing>): ConsolePage {
  const shown = async (visit: Visit, refused: Refused | null): Promise<View> => {
    return { crumbs, ...(await show(visit, await find(visit), refused)) }
  }
  const carryOut = async (visit: Visit, filled: Filled): Promise<View | Redirect> => {
    const thing = await find(visit)
    const wanted = filled.text('act')
    const name = wanted.replace(/^ask-/, '')
    const found = Object.hasOwn(acts, name) ? acts[name] : undefined
    const question = name === wanted ? undefined : await found?.ask?.(visit, thing, filled)
    if (question !== undefined) return confirmation(visit, { crumbs, ...question }, name)
    if (found === undefined || name !== wanted)
      throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
    return (await found.carryOut(visit, thing, filled)) ?? { to: visit.url.pathname }
  }
  return {
    ...page,
    show: async (visit) => shown(visit, null),
    receive: (visit, filled) =>
      orRefused(
        () => carryOut(visit, filled),
        (problem, details) => shown(visit, { problem, filled: withProblems(filled, details) }),
      ),
  }
}

/** Asks for confirmation, and shows the consequences. */
function confirmation({ csrf }: Visit, { cost, button, of = {}, ...view }: Question, name: string): View {
  const fields = Object.entries({ act: name, ...of })
  return {
    ...view,
    verdict: cost,
    body: form(
      csrf,
      html`${fields.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`)}
      ${send(button, '?', 'danger')}`,
    ),
  }
}

const STATUSES = { activate: 'ACTIVATED', deactivate: 'DEACTIVATED', archive: 'ARCHIVED' } as const

type StatusAct = keyof typeof STATUSES

/** The acts that change a status. All but `activate` ask first. */
export function statusActs<Thing>(
  ask: (thing: Thing, word: 'Deactivate' | 'Archive') => Question,
  set: (visit: Visit, thing: Thing, status: (typeof STATUSES)[StatusAct]) => Promise<View | void>,
): { readonly [name in StatusAct]: Act<Thing> } {
  const to = (act: StatusAct) => (visit: Visit, thing: Thing) => set(visit, thing, STATUSES[act])
  return {
    activate: { carryOut: to('activate') },
    deactivate: { ask: (_, thing) => ask(thing, 'Deactivate'), carryOut: to('deactivate') },
    archive: { ask: (_, thing) => ask(thing, 'Archive'), carryOut: to('archive') },
  }
}

/** The buttons of these acts. */
export function statusButtons(csrf: string, status: string): readonly Html[] {
  if (status === 'ACTIVATED') return [act(csrf, 'Deactivate…', { act: 'ask-deactivate' })]
  const activate = act(csrf, 'Activate', { act: 'activate' })
  return status === 'ARCHIVED' ? [activate] : [activate, act(csrf, 'Archive…', { act: 'ask-archive' })]
}
