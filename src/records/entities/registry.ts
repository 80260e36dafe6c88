import type { Entity, EntityName } from '../entity.ts'
import { AUTHENTICATION_METHOD } from './authentication-method.ts'
import { COMPONENT } from './component.ts'
import { EVENT } from './event.ts'
import { EXTERNAL_IDENTITY } from './external-identity.ts'
import { REFUSED_DATAPOINT } from './refused-datapoint.ts'
import { RETENTION } from './retention.ts'
import { SETPOINT } from './setpoint.ts'
import { SYSTEM_CREDENTIAL } from './system-credential.ts'
import { SYSTEM } from './system.ts'

/** The declaration of each definition that `schemas/entities.schema.json` lists. */
const DECLARED: { readonly [name in EntityName]: Entity<name> } = {
  System: SYSTEM,
  Component: COMPONENT,
  Event: EVENT,
  Setpoint: SETPOINT,
  Retention: RETENTION,
  SystemCredential: SYSTEM_CREDENTIAL,
  DomainAuthenticationMethod: AUTHENTICATION_METHOD,
  ExternalIdentity: EXTERNAL_IDENTITY,
  RefusedDatapoint: REFUSED_DATAPOINT,
}

export const ENTITIES: readonly Entity[] = Object.values(DECLARED)
