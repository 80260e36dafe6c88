import type { ImportDocument } from '../../generated/import-document.ts'

// These GraphQL operations create a simulated site, find it again, and read its model and events.

export const READ_MODEL = /* GraphQL */ `
  query Model {
    currentDomain {
      uuid
    }
    importDocument(recordTypes: [characteristics, componentModels, eventModels, metadataTypes, organizations])
  }
`

export interface ModelAnswer {
  readonly currentDomain: { readonly uuid: string }
  readonly importDocument: ImportDocument
}

export const READ_SITE = /* GraphQL */ `
  query Site($system: ID!) {
    system(uuid: $system) {
      name
      status
    }
    components(first: 1000, filter: { systems: [$system] }) {
      nodes {
        uuid
        status
        supports {
          serviceUuid
          service
          serviceStatus
          characteristicUuid
          characteristic
          characteristicStatus
          characteristicType
        }
      }
    }
    latestDatapoints(systems: [$system]) {
      componentUuid
      service
      characteristic
      timestamp
      value
    }
  }
`

export interface SiteAnswer {
  readonly system: { readonly name: string; readonly status: string } | null
  readonly components: {
    readonly nodes: readonly {
      readonly uuid: string
      readonly status: string
      readonly supports: readonly { readonly [field in SupportField]: string }[]
    }[]
  }
  readonly latestDatapoints: readonly {
    readonly componentUuid: string
    readonly service: string
    readonly characteristic: string
    readonly timestamp: string
    readonly value: unknown
  }[]
}

type SupportField =
  | 'serviceUuid'
  | 'service'
  | 'serviceStatus'
  | 'characteristicUuid'
  | 'characteristic'
  | 'characteristicStatus'
  | 'characteristicType'

export const CREATE_SYSTEM = 'mutation CreateSystem($input: SystemInput!) { createSystem(input: $input) { uuid } }'

export const CREATE_COMPONENTS =
  'mutation CreateComponents($input: [ComponentInput!]!) { createComponents(input: $input) { uuid } }'

export const CREATE_CREDENTIAL =
  'mutation CreateCredential($system: ID!) { createSystemCredential(system: $system) { uuid username password } }'

export interface CredentialAnswer {
  readonly createSystemCredential: { readonly uuid: string; readonly username: string; readonly password: string }
}

export const REVOKE_CREDENTIAL =
  'mutation RevokeCredential($uuid: ID!) { revokeSystemCredential(uuid: $uuid) { uuid } }'

export const CREATE_EVENT = 'mutation CreateEvent($input: EventInput!) { createEvent(input: $input) { uuid } }'

export const END_EVENT = 'mutation EndEvent($uuid: ID!, $at: String!) { endEvent(uuid: $uuid, at: $at) { uuid } }'
