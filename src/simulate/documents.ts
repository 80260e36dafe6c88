import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { parse } from 'graphql'
import type { Operations } from '../../generated/simulate-operations.ts'

type Documents = {
  readonly [Name in keyof Operations]: TypedDocumentNode<Operations[Name]['data'], Operations[Name]['variables']>
}

/** GraphQL operations that create a simulated site, find it again, and read its model and events. */
export const DOCUMENTS: Documents = {
  Model: parse(`query Model {
    currentDomain { uuid }
    importDocument(recordTypes: [characteristics, componentModels, eventModels, metadataTypes, organizations])
  }`),
  Site: parse(`query Site($system: ID!) {
    system(uuid: $system) { name status }
    components(first: 1000, filter: { systems: [$system] }) {
      nodes {
        uuid status
        supports { service serviceStatus characteristic characteristicStatus characteristicType }
      }
    }
    latestDatapoints(systems: [$system]) { componentUuid service characteristic timestamp value }
  }`),
  CreateSystem: parse('mutation CreateSystem($input: SystemInput!) { createSystem(input: $input) { uuid } }'),
  CreateComponents: parse(
    'mutation CreateComponents($input: [ComponentInput!]!) { createComponents(input: $input) { uuid } }',
  ),
  CreateCredential: parse(
    'mutation CreateCredential($system: ID!) { createSystemCredential(system: $system) { uuid username password } }',
  ),
  RevokeCredential: parse('mutation RevokeCredential($uuid: ID!) { revokeSystemCredential(uuid: $uuid) { uuid } }'),
  CreateEvent: parse('mutation CreateEvent($input: EventInput!) { createEvent(input: $input) { uuid } }'),
  EndEvent: parse('mutation EndEvent($uuid: ID!, $at: DateTime!) { endEvent(uuid: $uuid, at: $at) { uuid } }'),
}
