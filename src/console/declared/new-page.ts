import { html, type Html } from '../../server/html.ts'
import { withProblems, type Filled } from '../form.ts'
import type { ConsolePage, Crumb, Redirect, View, Visit } from '../page.ts'
import { form, send } from '../parts/fields.ts'
import { orRefused } from '../parts/refused.ts'
import { newlyFilled, readFields, showFields, type Values } from './form.ts'
import type { Form } from './form-field.ts'

interface NewPage<Input> extends Omit<ConsolePage, 'show' | 'receive'> {
  readonly title: string
  readonly verdict?: Html
  /** The page of all of them, to which Cancel leads. */
  readonly crumb: Crumb
  readonly fields: Form<Input>
  /** What the form begins with. */
  readonly values?: Values
  readonly button: string
  /** Stands above the form until something is refused. */
  before?(visit: Visit): Promise<Html | null>
  make(visit: Visit, input: Input): Promise<Redirect>
}

/** A page that makes something new of the fields that its declaration has. */
export function newPage<Input>(declared: NewPage<Input>): ConsolePage {
  const { title, verdict, crumb, fields, values, button, before, make, ...page } = declared
  const asked = async (visit: Visit, filled: Filled, problem: Html | null): Promise<View> => ({
    title,
    crumbs: [crumb],
    ...(verdict !== undefined && { verdict }),
    body: html`${problem ?? (await before?.(visit)) ?? null}
    ${form(visit.csrf, html`${showFields(fields, filled, true)} ${send(button, crumb.href)}`)}`,
  })
  return {
    ...page,
    show: (visit) => asked(visit, newlyFilled(fields, values), null),
    receive: (visit, filled) =>
      orRefused(
        () => make(visit, readFields(fields, filled, null)),
        (problem, details) => asked(visit, withProblems(filled, details), problem),
      ),
  }
}
