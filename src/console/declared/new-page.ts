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
  /** The page that lists them all. Cancel leads there. */
  readonly crumb: Crumb
  readonly fields: Form<Input>
  /** The initial values of the form. */
  readonly values?: Values
  readonly button: string
  /** A second button, which shows a preview next to the form and creates nothing. */
  readonly look?: { readonly button: string; show(visit: Visit, input: Input): Promise<Html | null> }
  /** Content above the form, until the form is rejected. */
  before?(visit: Visit): Promise<Html | null>
  make(visit: Visit, input: Input): Promise<Redirect>
}

const LOOK = 'check'

/** A page with a form that creates something, made from its declaration. */
export function newPage<Input>(declared: NewPage<Input>): ConsolePage {
  const { title, verdict, crumb, fields, values, button, look, before, make, ...page } = declared
  const more = look && html`<button class="button" name="act" value="${LOOK}">${look.button}</button>`
  const asked = async (visit: Visit, filled: Filled, problem: Html | null, found: Html | null = null) => {
    const body = form(
      visit.csrf,
      html`${showFields(fields, filled, true)} ${send(button, crumb.href, 'main', more ?? null)}`,
    )
    return {
      title,
      crumbs: [crumb],
      ...(verdict !== undefined && { verdict }),
      body: html`${problem ?? (await before?.(visit)) ?? null}
      ${
        look === undefined
          ? body
          : html`<div class="beside">
              ${body}
              <div class="blocks">${found}</div>
            </div>`
      }`,
    } satisfies View
  }
  return {
    ...page,
    show: (visit) => asked(visit, newlyFilled(fields, values), null),
    receive: (visit, filled) =>
      orRefused(
        async () => {
          const input = readFields(fields, filled, null)
          const isLook = look !== undefined && filled.text('act') === LOOK
          return isLook ? asked(visit, filled, null, await look.show(visit, input)) : make(visit, input)
        },
        (problem, details) => asked(visit, withProblems(filled, details), problem),
      ),
  }
}
