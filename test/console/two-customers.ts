import { ROLES, type Role } from '../../src/auth/roles.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { ACCESS } from '../../src/records/record-type.ts'
import { giveToken } from '../support/access.ts'
import { startConsoleServer } from '../support/console-server.ts'
import { visitorWith, type ConsolePage, type ConsoleVisitor } from '../support/console-visitor.ts'
import { setGrants } from '../support/grants.ts'
import type { LoginServer } from '../support/login-server.ts'
import { makeTwoOrganizations, type Customer, type TwoOrganizations } from '../support/two-organizations.ts'
import { EXPECTED_PAGES } from './expected-pages.ts'

// The console of a platform with two customers, with somebody of each role everywhere and within the first customer.

/** The roles that can be bound to an organization. */
export const BOUND_ROLES = ROLES.filter((role) => role !== 'administrator')

export const everywhere = (role: Role) => `${role}@example.org`
export const within = (role: Role) => `${role}@amber.example`
export const NOBODY = 'nel@nobody-basalt.example'
const OF_BASALT = 'ben@basalt.example'

/** Each page and each form, as the table has them. */
export const ALL = EXPECTED_PAGES.flatMap(({ role, isWithin, pages }) =>
  pages.map((page) => ({ page, role, isWithin })),
)

export interface Console {
  readonly server: LoginServer
  readonly customers: TwoOrganizations
  visitor(email: string): ConsoleVisitor
  /** The address of a page about the first customer, or another one. */
  addressOf(path: string, customer?: Customer): string
  /** Asks for a page. A form is sent without anything that says what to do. */
  ask(email: string, page: string, customer?: Customer): Promise<ConsolePage>
}

/** `places` has uuids for addresses that begin so, where they are not of systems. */
export async function startTwoCustomers(places: { readonly [begin: string]: string } = {}): Promise<Console> {
  const server = await startConsoleServer()
  const { context } = server
  const datapoints = new Datapoints({ ...context, isAlone: false })
  const users = [...ROLES.map(everywhere), NOBODY].map((email) => ({ email }))
  const bound = [...BOUND_ROLES.map(within), OF_BASALT].map((email) => ({ email, organization: { alias: of(email) } }))
  const customers = await makeTwoOrganizations(context, datapoints, { users: [...users, ...bound] })
  await datapoints.close()
  await setGrants(context, [
    ...ROLES.map((role) => ({ role, user: everywhere(role) })),
    ...BOUND_ROLES.map((role) => ({ role, user: within(role), within: 'amber' })),
  ])
  // One with its references, as applies make them.
  await createRecord(context, ACCESS, { role: 'viewer', user: OF_BASALT, within: 'basalt' }, [])
  const visitors = new Map(
    await Promise.all(
      [...users, ...bound].map(async ({ email }) => {
        const account = await findRecord(context, EVERYWHERE, 'users', email)
        return [email, visitorWith(server, await giveToken(context, { uuid: account?.uuid ?? '' }))] as const
      }),
    ),
  )
  const visitor = (email: string): ConsoleVisitor => {
    const found = visitors.get(email)
    if (found === undefined) throw new Error(`there is no visitor ${email}`)
    return found
  }
  const addressOf = (path: string, { system, component }: Customer = customers.amber) => {
    const uuid = Object.entries(places).find(([begin]) => path.startsWith(begin))?.[1] ?? system
    return path
      .replace('/components/:uuid', `/components/${component}`)
      .replace(':uuid', uuid)
      .replace(':id', crypto.randomUUID())
      .replace(':type', 'organizations')
      .replace(':key{.+}', 'amber')
      .replace(':email', within('editor'))
      .replace(':slug', 'console')
  }
  return {
    server,
    customers,
    visitor,
    addressOf,
    ask(email, page, customer) {
      const [method = '', path = ''] = page.split(' ')
      const address = addressOf(path, customer)
      return method === 'GET' ? visitor(email).get(address) : visitor(email).post(address)
    },
  }
}

const of = (email: string) => (email === OF_BASALT ? 'basalt' : 'amber')
