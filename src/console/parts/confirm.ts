import { html, type Html } from '../../server/html.ts'
import type { Crumb, View, Visit } from '../page.ts'
import { form, send } from './fields.ts'

interface Question {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** The consequences, and what stays. */
  readonly cost: Html
  /** The name of the action that the form sends on confirmation. */
  readonly act: string
  /** Fields that say what is changed, where the address of the page does not. */
  readonly of?: { readonly [field: string]: string }
  /** Says what is done. */
  readonly button: string
  /** Where Cancel leads. */
  readonly back: string
}

/** Asks before something that ends what works at present, and says what it costs. */
export function confirmation({ csrf }: Pick<Visit, 'csrf'>, question: Question): View {
  const { title, crumbs, cost, act, of = {}, button, back } = question
  const fields = Object.entries({ act, ...of })
  return {
    title,
    crumbs,
    verdict: cost,
    body: form(
      csrf,
      html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${send(button, back, 'danger')}`,
    ),
  }
}
