import type { Role } from '../../src/auth/roles.ts'

// Which page is whose, written down by hand: the test judges by this table and not by what pages declare. A page that is new
// belongs into the row of those that show, or do, what is as dangerous.

interface Row {
  /** The least role. */
  readonly role: Role
  /** Whether it is enough within an organization. */
  readonly isWithin: boolean
  readonly pages: readonly string[]
}

export const EXPECTED_PAGES: readonly Row[] = [
  {
    role: 'viewer',
    isWithin: true,
    pages: lines(`
      GET /
      GET /search
      GET /keys
      GET /api
      POST /api/token
      GET /systems
      GET /systems/:uuid
      GET /systems/:uuid/setpoints
      GET /systems/:uuid/events
      GET /systems/:uuid/refused
      GET /systems/:uuid/analyse
      GET /systems/:uuid/analyse/data
      GET /systems/:uuid/analyse/csv
      GET /systems/:uuid/analyse/live
      GET /model
      GET /model/:type
      GET /model/:type/:key{.+}
      GET /organizations
      GET /organizations/:key{.+}
      GET /users
      GET /machine-users`),
  },
  {
    role: 'viewer',
    isWithin: false,
    pages: lines(`
      GET /applies
      GET /applies/:uuid
      GET /drift
      GET /deletions
      GET /application-consumers
      GET /application-consumers/:slug`),
  },
  {
    role: 'operator',
    isWithin: true,
    pages: lines(`
      GET /systems/:uuid/analyse/set
      POST /systems/:uuid/analyse
      POST /systems/:uuid/analyse/set
      POST /systems/:uuid/events`),
  },
  {
    role: 'editor',
    isWithin: true,
    pages: lines(`
      GET /systems/new
      POST /systems/new
      POST /systems/:uuid
      GET /systems/:uuid/metadata
      POST /systems/:uuid/metadata
      GET /components/:uuid/metadata
      POST /components/:uuid/metadata`),
  },
  {
    role: 'editor',
    isWithin: false,
    pages: lines(`
      GET /metadata/:type/:key{.+}
      POST /metadata/:type/:key{.+}
      GET /plans/new
      POST /plans/new
      GET /plans/:id
      POST /plans/:id
      POST /applies/:uuid`),
  },
  {
    role: 'administrator',
    isWithin: false,
    pages: lines(`
      GET /systems/:uuid/credentials
      POST /systems/:uuid/credentials
      GET /users/new
      POST /users/new
      GET /users/:email
      POST /users/:email
      GET /users/:email/metadata
      POST /users/:email/metadata
      GET /application-consumers/new
      POST /application-consumers/new
      POST /application-consumers/:slug
      GET /auth-methods
      GET /auth-methods/:uuid
      GET /auth-methods/new
      POST /auth-methods/new
      POST /auth-methods/:uuid`),
  },
]

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
