import { ROLES, type Role } from '../../src/auth/roles.ts'

// Who may do what, written down by hand: the tests of rights judge by this table and not by what operations declare. An
// operation that is new belongs into the row of those that it is as dangerous as.

interface Row {
  /** Each of these scopes is enough, and `service` always is. */
  readonly scopes: string
  /** The least role; null: everybody may do it. */
  readonly role: Role | null
  /** GraphQL fields and REST routes. */
  readonly operations: readonly string[]
}

const ROWS: readonly Row[] = [
  {
    scopes:
      'openid email profile model:read model:plan model:apply model:write access:admin data:read data:delete datapoints:write setpoints:write',
    role: null,
    operations: words('me'),
  },
  { scopes: '', role: null, operations: words('endSession endSessions revokeConsent') },
  {
    scopes: 'model:read model:plan model:apply model:write access:admin data:read',
    role: null,
    operations: words('currentDomain node'),
  },
  {
    scopes: 'model:read model:apply model:write access:admin',
    role: 'viewer',
    operations: words(`
      characteristics characteristic services service characteristicServiceLinks characteristicServiceLink
      componentModels componentModel serviceComponentModelLinks serviceComponentModelLink dataSources dataSource
      eventModels eventModel metadataTypes metadataType organizations organization users user machineUsers machineUser
      applicationConsumers applicationConsumer grants impliedGrants importDocument accessDocument applies apply recordHistory`),
  },
  {
    scopes: 'data:read',
    role: 'viewer',
    operations: [
      ...words('systems system components component events event datapoints latestDatapoints retention'),
      ...words('refusedDatapoints deletions'),
      ...words('setpoints setpoint'),
      'GET /rest/v1/data-points',
    ],
  },
  {
    scopes: 'data:delete',
    role: 'editor',
    operations: words('deletionPreview deleteSystem deleteComponent deleteEvent deleteDatapoints'),
  },
  {
    scopes: 'datapoints:write',
    role: 'operator',
    operations: [
      ...words('createEvent endEvent'),
      'POST /rest/v1/data-points/add',
      'GET /rest/v1/set-points/pending',
      'POST /rest/v1/set-points/acknowledge',
    ],
  },
  {
    scopes: 'setpoints:write',
    role: 'operator',
    operations: [...words('setSetpoints'), 'POST /rest/v1/set-points/add'],
  },
  {
    scopes: 'model:plan model:apply',
    role: 'editor',
    operations: [...words('planImport rollbackPlan'), 'POST /rest/v1/import'],
  },
  { scopes: 'model:apply', role: 'editor', operations: words('applyImport') },
  {
    scopes: 'model:write',
    role: 'editor',
    operations: words(`
      createCharacteristic updateCharacteristic deleteCharacteristic createService updateService deleteService
      createCharacteristicServiceLink deleteCharacteristicServiceLink createComponentModel updateComponentModel
      deleteComponentModel createServiceComponentModelLink updateServiceComponentModelLink
      deleteServiceComponentModelLink createDataSource updateDataSource deleteDataSource createEventModel
      updateEventModel deleteEventModel createMetadataType updateMetadataType deleteMetadataType createOrganization
      updateOrganization deleteOrganization createSystem updateSystem createComponent createComponents updateComponent
      setRetention clearRetention`),
  },
  {
    scopes: 'access:admin',
    role: 'administrator',
    operations: words(`
      createUser updateUser deleteUser createMachineUser updateMachineUser deleteMachineUser createApplicationConsumer
      updateApplicationConsumer deleteApplicationConsumer createGrant deleteGrant authenticationMethods
      createOpenIdDelegatedAuthenticationMethod updateAuthenticationMethod deleteAuthenticationMethod
      externalIdentities unbindIdentity delegatedUsers updateDelegatedUser updateDomain rotateSigningKey
      createPasswordLink passwordLinks revokePasswordLink accessExplanation sessionsOf endSessionOf endSessionsOf consentsOf revokeConsentOf lostRights systemCredentials
      createSystemCredential revokeSystemCredential`),
  },
]

/**
 * What a role within one organization is enough for. Everything else tells or changes something of the whole domain: who
 * may sign in, how long data is kept, the document with all of its records, what was applied.
 */
export const WITHIN: ReadonlySet<string> = new Set([
  ...words(`
    me endSession endSessions revokeConsent currentDomain node
    characteristics characteristic services service characteristicServiceLinks characteristicServiceLink
    componentModels componentModel serviceComponentModelLinks serviceComponentModelLink dataSources dataSource
    eventModels eventModel metadataTypes metadataType organizations organization users user machineUsers machineUser
    applicationConsumers applicationConsumer
    systems system components component events event datapoints latestDatapoints refusedDatapoints retention
    setpoints setpoint
    createSystem updateSystem createComponent createComponents updateComponent createEvent endEvent setSetpoints
    deletionPreview deleteSystem deleteComponent deleteEvent deleteDatapoints`),
  'POST /rest/v1/data-points/add',
  'GET /rest/v1/data-points',
  'POST /rest/v1/set-points/add',
  'GET /rest/v1/set-points/pending',
  'POST /rest/v1/set-points/acknowledge',
])

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Every operation, as often as it is in the table. */
export const EXPECTED_OPERATIONS: readonly string[] = ROWS.flatMap(({ operations }) => operations)

function operationsOf(isAllowed: (row: Row) => boolean): ReadonlySet<string> {
  return new Set(ROWS.filter(isAllowed).flatMap(({ operations }) => operations))
}

/** What a token with these scopes allows somebody who may do everything. */
export function allowedByScopes(given: readonly string[]): ReadonlySet<string> {
  return operationsOf(({ scopes }) => given.includes('service') || words(scopes).some((one) => given.includes(one)))
}

/** What a role, or none, allows with a token for everything. */
export function allowedByRole(held: Role | null): ReadonlySet<string> {
  return operationsOf(({ role }) => rankOf(held) >= rankOf(role))
}

/** What a role within one organization allows with a token for everything. */
export function allowedWithin(held: Role): ReadonlySet<string> {
  return new Set([...allowedByRole(held)].filter((operation) => WITHIN.has(operation)))
}

function rankOf(role: Role | null): number {
  return role === null ? -1 : ROLES.indexOf(role)
}
