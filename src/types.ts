// The types that apps import from the package. They describe JSON: documents, plans, and what the API reads and answers.
export type * from '../generated/import-document.ts'
export type * from '../generated/plan.ts'
export type * from '../generated/answers.ts'
export type {
  Acknowledgement,
  Everyone,
  Grant,
  GrantedIdentities,
  GuardedType,
  HoldfastSettings as Settings,
  Move,
  Protection,
  Role,
  WrittenKey,
} from '../generated/settings.ts'
export type {
  ComponentFilter,
  ComponentPatch,
  EventFilter,
  NewComponent,
  NewEvent,
  NewFederationRule,
  NewGithubActionsTrust,
  NewOpenIdDelegatedConfiguration,
  NewSystem,
  OpenIdDelegatedConfigurationPatch,
  RefusedDatapointFilter,
  SetpointFilter,
  SystemFilter,
  SystemPatch,
} from '../generated/entities.ts'
export type { Json, JsonObject } from './lib/json.ts'
