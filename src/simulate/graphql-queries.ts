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

export const FIND_SYSTEM = /* GraphQL */ `
  query FindSystem($uuid: ID!) {
    system(uuid: $uuid) {
      name
      status
    }
    components(first: 1000, filter: { systems: [$uuid] }) {
      nodes {
        uuid
      }
    }
  }
`

export interface FoundSystem {
  readonly system: { readonly name: string; readonly status: string } | null
  readonly components: { readonly nodes: readonly { readonly uuid: string }[] }
}

export const CREATE_SYSTEM = /* GraphQL */ `
  mutation CreateSystem($input: SystemInput!) {
    createSystem(input: $input) {
      uuid
    }
  }
`

export const CREATE_COMPONENTS = /* GraphQL */ `
  mutation CreateComponents($input: [ComponentInput!]!) {
    createComponents(input: $input) {
      uuid
    }
  }
`

export const READ_SITE = /* GraphQL */ `
  query Site($system: ID!) {
    components(first: 1000, filter: { systems: [$system], status: [ACTIVATED] }) {
      nodes {
        uuid
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
  readonly components: {
    readonly nodes: readonly { readonly uuid: string; readonly supports: readonly SupportAnswer[] }[]
  }
  readonly latestDatapoints: readonly LatestAnswer[]
}

export interface SupportAnswer {
  readonly serviceUuid: string
  readonly service: string
  readonly serviceStatus: string
  readonly characteristicUuid: string
  readonly characteristic: string
  readonly characteristicStatus: string
  readonly characteristicType: string
}

export interface LatestAnswer {
  readonly componentUuid: string
  readonly service: string
  readonly characteristic: string
  readonly timestamp: string
  readonly value: unknown
}

export const CREATE_CREDENTIAL = /* GraphQL */ `
  mutation CreateCredential($system: ID!) {
    createSystemCredential(system: $system) {
      uuid
      username
      password
    }
  }
`

export interface CredentialAnswer {
  readonly createSystemCredential: { readonly uuid: string; readonly username: string; readonly password: string }
}

export const REVOKE_CREDENTIAL = /* GraphQL */ `
  mutation RevokeCredential($uuid: ID!) {
    revokeSystemCredential(uuid: $uuid) {
      uuid
    }
  }
`

export const CREATE_EVENT = /* GraphQL */ `
  mutation CreateEvent($input: EventInput!) {
    createEvent(input: $input) {
      uuid
    }
  }
`

export const END_EVENT = /* GraphQL */ `
  mutation EndEvent($uuid: ID!, $at: String!) {
    endEvent(uuid: $uuid, at: $at) {
      uuid
    }
  }
`
