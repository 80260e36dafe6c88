import { createSystem } from '../../../platform/systems/systems.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, withProblems, type Filled } from '../../form.ts'
import { declarePage, type View, type Visit } from '../../page.ts'
import { checkboxes, form, send, textField } from '../../parts/fields.ts'
import { orRefused } from '../../parts/refused.ts'

/** `/systems/new` */
export const NEW_SYSTEM_PAGE = declarePage({
  path: '/systems/new',
  area: 'systems',
  right: 'model:write',
  keepsWithin: true,
  show: (visit) => Promise.resolve(asked(visit, filledWith({}))),
  receive: (visit, filled) =>
    orRefused(
      async () => {
        const unit = filled.text('organizationUnit')
        const { uuid } = await createSystem(visit.context, visit.actor, {
          name: filled.text('name'),
          isPrototype: filled.has('isPrototype'),
          organizationUnit: unit === '' ? null : unit,
        })
        return { to: `/systems/${uuid}` }
      },
      (problem, details) => asked(visit, withProblems(filled, details), problem),
    ),
})

function asked({ csrf }: Visit, filled: Filled, problem: Html | null = null): View {
  return {
    title: 'New system',
    crumbs: [{ label: 'Systems', href: '/systems' }],
    body: html`${problem}
    ${form(
      csrf,
      html`${textField(filled, { name: 'name', label: 'Name', isRequired: true, isFirst: true })}
      ${textField(filled, {
        name: 'organizationUnit',
        label: 'Organization or unit',
        hint: 'Its key, such as lindenhof/house-1. Empty: nobody’s.',
        isCode: true,
      })}
      ${checkboxes(filled, { name: 'isPrototype', label: 'Kind' }, [
        { value: 'true', label: 'A prototype', hint: 'Event models may be limited to prototypes.' },
      ])}
      ${send('Create system', '/systems')}`,
    )}`,
  }
}
