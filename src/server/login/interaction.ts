import type Provider from 'oidc-provider'

/** The lifetime of an interaction in seconds. A page tells people this time (open-interaction.ts). */
export const INTERACTION_SECONDS = 600

/** The state that oidc-provider keeps while a person has to answer something. */
export type Interaction = InstanceType<Provider['Interaction']>
