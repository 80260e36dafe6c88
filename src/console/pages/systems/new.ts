import { createSystem } from '../../../platform/systems/systems.ts'
import { SYSTEM } from '../../../records/entities.ts'
import { newEntityForm } from '../../declared/declared-fields.ts'
import { newPage } from '../../declared/new-page.ts'

/** `/systems/new` */
export const NEW_SYSTEM_PAGE = newPage({
  path: '/systems/new',
  area: 'systems',
  right: SYSTEM.rights.write,
  keepsWithin: true,
  title: 'New system',
  crumb: { label: 'Systems', href: '/systems' },
  fields: newEntityForm(SYSTEM, { own: { name: {}, organizationUnit: {} } }),
  button: 'Create system',
  async make({ context, actor }, input) {
    const { uuid } = await createSystem(context, actor, input)
    return { to: `/systems/${uuid}` }
  },
})
