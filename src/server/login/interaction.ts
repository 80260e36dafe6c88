import type Provider from 'oidc-provider'

/** For so long an interaction is kept, which a page tells people (open-interaction.ts). */
export const INTERACTION_SECONDS = 600

/** What oidc-provider keeps while a person must be asked something. */
export type Interaction = InstanceType<Provider['Interaction']>
